package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;

/** Path or paths that an entry is for. */
public sealed interface PolicyPath {

    /** One file, or one directory with everything below it. */
    record Exact(PathUri path) implements PolicyPath {}

    /**
     * Every file whose path matches when the command starts.
     *
     * @param pattern absolute, or relative to the directory of the policy; {@code *}, {@code ?}, {@code **}, classes in
     *     brackets, backslash; may start with {@code ~/} or {@code codex-project-roots://}
     */
    record Glob(String pattern) implements PolicyPath {}

    /** A path that is known only where the command runs. */
    record Special(SpecialPath value) implements PolicyPath {}

    static PolicyPath read(ParamsReader in, Dialect dialect) {
        String type = null;
        String path = null;
        String pattern = null;
        SpecialPath value = null;
        while (in.next()) {
            switch (in.name()) {
                case "type" -> type = MemberPath.in("type", in::string);
                case "path" -> path = MemberPath.in("path", in::string);
                case "pattern" -> pattern = MemberPath.in("pattern", in::string);
                case "value" ->
                    value = MemberPath.in("value", () -> in.struct("FileSystemSpecialPath", SpecialPath::read));
                default -> {}
            }
        }
        String given = in.required("type", type);
        return switch (MemberPath.snake(given)) {
            case "path" -> exact(in.required("path", path), dialect);
            case "glob_pattern" -> glob(in.required("pattern", pattern));
            case "special" -> new Special(in.required("value", value));
            default ->
                throw MemberPath.at(
                        "type", ParamsReader.unknownVariant(given, "one of `path`, `glob_pattern`, `special`"));
        };
    }

    private static PolicyPath exact(String path, Dialect dialect) {
        return MemberPath.in(
                "path", () -> new Exact(PathUri.parse(path, dialect).requireLinux("path")));
    }

    private static PolicyPath glob(String pattern) {
        if (pattern.isEmpty() || pattern.indexOf('\0') >= 0) {
            throw MemberPath.at(
                    "pattern",
                    RpcException.invalidParams("invalid value: expected a pattern that is not empty and holds no NUL"));
        }
        return new Glob(pattern);
    }

    default void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
        g.writeStartObject();
        switch (this) {
            case Exact(PathUri path) -> {
                g.writeStringField("type", "path");
                g.writeStringField("path", spelling.path(path));
            }
            case Glob(String pattern) -> {
                g.writeStringField("type", "glob_pattern");
                g.writeStringField("pattern", pattern);
            }
            case Special(SpecialPath value) -> {
                g.writeStringField("type", "special");
                g.writeFieldName("value");
                value.write(g);
            }
        }
        g.writeEndObject();
    }
}
