package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Rules that derive a child's environment from the server's. All five members are required.
 *
 * @param ignoreDefaultExcludes true keeps names that contain KEY, SECRET or TOKEN
 * @param exclude names to drop: globs with {@code *} and {@code ?} over the whole name, case-insensitive
 * @param set variables to add after that, in order
 * @param includeOnly when not empty, globs of the only names to keep, applied after {@code set}
 */
public record EnvPolicy(
        Inherit inherit,
        boolean ignoreDefaultExcludes,
        List<String> exclude,
        Map<String, String> set,
        List<String> includeOnly)
        implements JsonWritable {

    /** Variables that the child starts with. */
    public enum Inherit {
        ALL("all"),
        /** The few variables that describe user, locale, PATH and temporary directories. */
        CORE("core"),
        NONE("none");

        private final String wire;

        Inherit(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }

        static Inherit parse(String text) {
            return switch (text) {
                case "all" -> ALL;
                case "core" -> CORE;
                case "none" -> NONE;
                default -> throw ParamsReader.unknownVariant(text, "one of `core`, `all`, `none`");
            };
        }
    }

    static EnvPolicy read(ParamsReader in) {
        Inherit inherit = null;
        Boolean ignoreDefaultExcludes = null;
        List<String> exclude = null;
        Map<String, String> set = null;
        List<String> includeOnly = null;
        while (in.next()) {
            switch (in.name()) {
                case "inherit" -> inherit = Inherit.parse(in.string());
                case "ignoreDefaultExcludes" -> ignoreDefaultExcludes = in.bool();
                case "exclude" -> exclude = in.strings();
                case "set" -> set = in.stringMap();
                case "includeOnly" -> includeOnly = in.strings();
                default -> {}
            }
        }
        return new EnvPolicy(
                in.required("inherit", inherit),
                in.required("ignoreDefaultExcludes", ignoreDefaultExcludes),
                in.required("exclude", exclude),
                in.required("set", set),
                in.required("includeOnly", includeOnly));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("inherit", inherit.wire());
        g.writeBooleanField("ignoreDefaultExcludes", ignoreDefaultExcludes);
        JsonFields.strings(g, "exclude", exclude);
        JsonFields.stringMap(g, "set", set);
        JsonFields.strings(g, "includeOnly", includeOnly);
        g.writeEndObject();
    }
}
