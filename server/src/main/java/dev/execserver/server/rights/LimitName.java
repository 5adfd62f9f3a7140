package dev.execserver.server.rights;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.sandbox.limits.CommandLimits;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** A limit of a command that the operator can bound, by the name of its member in {@code process/start}. */
public enum LimitName {
    PIDS("pids", Kind.COUNT, 1, ResourceLimits::pids),
    MEMORY_BYTES("memoryBytes", Kind.SIZE, CommandLimits.SMALLEST_MEMORY_BYTES, ResourceLimits::memoryBytes),
    CPU_SECONDS("cpuSeconds", Kind.COUNT, 1, ResourceLimits::cpuSeconds),
    OPEN_FILES("openFiles", Kind.COUNT, CommandLimits.SMALLEST_OPEN_FILES, ResourceLimits::openFiles),
    FILE_SIZE_BYTES("fileSizeBytes", Kind.SIZE, 0, ResourceLimits::fileSizeBytes),
    TIMEOUT_MS("timeoutMs", Kind.TIME, 1, _ -> OptionalLong.empty());

    /** Way in which people write a value. */
    public enum Kind {
        COUNT,
        SIZE,
        TIME
    }

    private final String member;
    private final Kind kind;
    private final long least;
    private final Function<ResourceLimits, OptionalLong> reader;

    LimitName(String member, Kind kind, long least, Function<ResourceLimits, OptionalLong> reader) {
        this.member = member;
        this.kind = kind;
        this.least = least;
        this.reader = reader;
    }

    /** Returns the limit with this member. */
    public static Optional<LimitName> of(String member) {
        return Arrays.stream(values())
                .filter(name -> name.member.equals(member))
                .findFirst();
    }

    public String member() {
        return member;
    }

    public Kind kind() {
        return kind;
    }

    /** The smallest value, below which no command could start. */
    public long least() {
        return least;
    }

    /** Returns what a client asks for; empty for nothing. */
    OptionalLong asked(StartOptions options) {
        return this == TIMEOUT_MS
                ? options.timeoutMs()
                : options.limits().map(reader).orElse(OptionalLong.empty());
    }

    /** Returns the member as it stands in the params. */
    String path() {
        return this == TIMEOUT_MS ? member : "limits." + member;
    }
}
