package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.spawn.Launch;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Looks programs of the system up for the server, pinned where that is possible. Threads that may block. */
public final class PinnedPrograms {
    private final ProgramPins pins;
    private final TrustedPlaces system;

    /** @param system decides which files may be run */
    public PinnedPrograms(ProgramPins pins, TrustedPlaces system) {
        this.pins = pins;
        this.system = system;
    }

    /**
     * One program.
     *
     * @param path canonical
     */
    public record Program(LinuxPath path, Launch launch) {}

    /** The first one on a search path that is trusted; relative places, the working directory above all, do not count. */
    public Optional<Program> onPath(String name, String searchPath) {
        for (String element : searchPath.split(":", -1)) {
            String candidate = element + "/" + name;
            if (element.startsWith("/") && FileCalls.executable(candidate.getBytes(StandardCharsets.UTF_8)) == 0) {
                Optional<Program> found = at(LinuxPath.of(candidate));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** As {@link #at(LinuxPath)}, for a program that looks at the name under which it was called. */
    public Optional<Program> at(LinuxPath named, String calledName) {
        return at(named, Optional.of(calledName));
    }

    /** The program of that name; empty when it is not trusted, or could be replaced by a command and cannot be pinned. */
    public Optional<Program> at(LinuxPath named) {
        return at(named, Optional.empty());
    }

    private Optional<Program> at(LinuxPath named, Optional<String> calledName) {
        try {
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(named.bytes()));
            if (system.fault(named).or(() -> system.fault(real)).isPresent()) {
                return Optional.empty();
            }
            return switch (pins.pin(real, ProgramPins.read(real), calledName, system)) {
                case ProgramPins.Result.Pinned(Launch launch) -> Optional.of(new Program(real, launch));
                case ProgramPins.Result.Impossible _
                when !system.replaceable() -> Optional.of(new Program(real, Launch.plain(real.bytes())));
                case ProgramPins.Result.Impossible _, ProgramPins.Result.Untrusted _ -> Optional.empty();
            };
        } catch (LinuxException | IllegalArgumentException e) {
            return Optional.empty(); // it has gone, or is no program
        }
    }
}
