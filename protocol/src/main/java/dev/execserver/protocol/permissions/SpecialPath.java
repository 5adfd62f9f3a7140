package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Path that is known only where the command runs. */
public sealed interface SpecialPath {

    /** The root of the file system. */
    record Root() implements SpecialPath {}

    /** Makes the platform's program and library directories readable. It has no path of its own. */
    record Minimal() implements SpecialPath {}

    /**
     * Each workspace root. It is also read under its old name {@code current_working_directory}.
     *
     * @param subpath relative, without {@code ..}; empty for the root itself
     */
    record ProjectRoots(Optional<String> subpath) implements SpecialPath {}

    /** The directory in TMPDIR of the command's environment. */
    record Tmpdir() implements SpecialPath {}

    /** {@code /tmp}, if it is a directory. */
    record SlashTmp() implements SpecialPath {}

    /**
     * Special path that only newer clients know. It is kept as received and grants nothing.
     *
     * @param path its name, such as {@code :future}
     */
    record Unknown(String path, Optional<String> subpath) implements SpecialPath {}

    /** Every workspace root itself. */
    SpecialPath WORKSPACE = new ProjectRoots(Optional.empty());

    static SpecialPath read(ParamsReader in) {
        String kind = null;
        Optional<String> path = Optional.empty();
        Optional<String> subpath = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "kind" -> kind = MemberPath.in("kind", in::string);
                case "path" -> path = MemberPath.in("path", in::stringOrNull);
                case "subpath" -> subpath = MemberPath.in("subpath", in::stringOrNull);
                default -> {}
            }
        }
        String given = in.required("kind", kind);
        return switch (MemberPath.snake(given)) {
            case "root" -> new Root();
            case "minimal" -> new Minimal();
            case "current_working_directory" -> WORKSPACE;
            case "project_roots" -> new ProjectRoots(subpath.flatMap(SpecialPath::checkedSubpath));
            case "tmpdir" -> new Tmpdir();
            case "slash_tmp" -> new SlashTmp();
            case "unknown" -> new Unknown(path.orElseThrow(() -> ParamsReader.missing("path")), subpath);
            default ->
                throw MemberPath.at(
                        "kind",
                        ParamsReader.unknownVariant(
                                given,
                                "one of `root`, `minimal`, `project_roots`, `current_working_directory`, `tmpdir`,"
                                        + " `slash_tmp`, `unknown`"));
        };
    }

    default void write(JsonGenerator g) throws IOException {
        g.writeStartObject();
        switch (this) {
            case Root() -> g.writeStringField("kind", "root");
            case Minimal() -> g.writeStringField("kind", "minimal");
            case ProjectRoots(Optional<String> subpath) -> {
                g.writeStringField("kind", "project_roots");
                JsonFields.ifPresent(g, "subpath", subpath);
            }
            case Tmpdir() -> g.writeStringField("kind", "tmpdir");
            case SlashTmp() -> g.writeStringField("kind", "slash_tmp");
            case Unknown(String path, Optional<String> subpath) -> {
                g.writeStringField("kind", "unknown");
                g.writeStringField("path", path);
                JsonFields.ifPresent(g, "subpath", subpath);
            }
        }
        g.writeEndObject();
    }

    /** Refuses a subpath that could leave the workspace, because it would grant another path than it says. */
    private static Optional<String> checkedSubpath(String subpath) {
        if (subpath.startsWith("/")
                || subpath.indexOf('\0') >= 0
                || Arrays.asList(subpath.split("/")).contains("..")) {
            throw MemberPath.at(
                    "subpath",
                    RpcException.invalidParams(
                            "invalid value: string \"" + subpath + "\", expected a relative path without `..`"));
        }
        return subpath.isEmpty() ? Optional.empty() : Optional.of(subpath);
    }
}
