package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Collects the members of a file policy in the forms of all releases. */
final class FileSystemReader {
    private final Dialect dialect;
    private Optional<String> tag = Optional.empty();
    private Optional<List<Entry>> entries = Optional.empty();
    private Optional<List<PathUri>> read = Optional.empty();
    private Optional<List<PathUri>> write = Optional.empty();
    private OptionalInt depth = OptionalInt.empty();

    private FileSystemReader(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Reads the form {@code {"type":...}}, which is part of a profile with a {@code type}. */
    static FileSystemPolicy tagged(ParamsReader in, Dialect dialect) {
        return collect(in, dialect).policy("type", "`restricted` or `unrestricted`", false);
    }

    /** Reads the form {@code {"kind":...}}, a file policy that was sent beside the legacy policy. */
    static Optional<FileSystemPolicy> kind(ParamsReader in, Dialect dialect) {
        FileSystemReader members = collect(in, dialect);
        if (members.tag
                .filter(tag -> MemberPath.snake(tag).equals("external_sandbox"))
                .isPresent()) {
            return Optional.empty();
        }
        return Optional.of(members.policy("kind", "one of `restricted`, `unrestricted`, `external-sandbox`", true));
    }

    /** Reads the form without a tag: entries, or lists of paths to read and write. */
    static Restricted untagged(ParamsReader in, Dialect dialect) {
        FileSystemReader members = collect(in, dialect);
        return members.restricted();
    }

    private static FileSystemReader collect(ParamsReader in, Dialect dialect) {
        FileSystemReader members = new FileSystemReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        return members;
    }

    private void take(ParamsReader in) {
        String name = in.name();
        switch (name) {
            case "type", "kind" -> tag = Optional.of(MemberPath.once(tag, name, MemberPath.in(name, in::string)));
            case "entries" ->
                entries = Optional.of(MemberPath.list(in, name, "FileSystemSandboxEntry", e -> Entry.read(e, dialect)));
            case "read" -> read = MemberPath.stringsOrNull(in, name, this::path);
            case "write" -> write = MemberPath.stringsOrNull(in, name, this::path);
            case "glob_scan_max_depth", "globScanMaxDepth" -> depth = MemberPath.in(name, () -> depth(in));
            default -> {}
        }
    }

    private PathUri path(String text) {
        return PathUri.parse(text, dialect).requireLinux("path");
    }

    private static OptionalInt depth(ParamsReader in) {
        long value = in.usizeOrNull().orElse(-1);
        if (value == 0) {
            throw RpcException.invalidParams("invalid value: integer `0`, expected a nonzero usize");
        }
        // No directory tree is that deep, so a larger bound has the same effect.
        return value < 0 ? OptionalInt.empty() : OptionalInt.of((int) Math.min(value, Integer.MAX_VALUE));
    }

    private FileSystemPolicy policy(String tagName, String expected, boolean entriesOptional) {
        String given = tag.orElseThrow(() -> ParamsReader.missing(tagName));
        return switch (given) {
            case "unrestricted" -> FileSystemPolicy.UNRESTRICTED;
            case "restricted" -> {
                if (entries.isEmpty() && !entriesOptional) {
                    throw ParamsReader.missing("entries");
                }
                yield new Restricted(entries.orElse(List.of()), depth);
            }
            default -> throw MemberPath.at(tagName, ParamsReader.unknownVariant(given, expected));
        };
    }

    private Restricted restricted() {
        List<Entry> all = new ArrayList<>(entries.orElse(List.of()));
        read.orElse(List.of()).forEach(path -> all.add(Entry.of(path, Access.READ)));
        write.orElse(List.of()).forEach(path -> all.add(Entry.of(path, Access.WRITE)));
        return new Restricted(all, depth);
    }
}
