package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * One rule of a file policy.
 *
 * @param missingSkip marks a built-in protection. It is kept only to be written again: on Linux a missing protected
 *     path cannot be created in any case
 */
public record Entry(PolicyPath path, Access access, boolean missingSkip) {

    /** Makes an ordinary entry. */
    public Entry(PolicyPath path, Access access) {
        this(path, access, false);
    }

    /** Makes an entry for a special path. */
    public static Entry of(SpecialPath path, Access access) {
        return new Entry(new PolicyPath.Special(path), access);
    }

    /** Makes an entry for one path. */
    public static Entry of(PathUri path, Access access) {
        return new Entry(new PolicyPath.Exact(path), access);
    }

    /** Returns true if the entry is for exactly this special path. */
    public boolean names(SpecialPath special) {
        return path instanceof PolicyPath.Special(SpecialPath value) && value.equals(special);
    }

    static Entry read(ParamsReader in, Dialect dialect) {
        PolicyPath path = null;
        Access access = null;
        boolean skip = false;
        while (in.next()) {
            switch (in.name()) {
                case "path" ->
                    path = MemberPath.in("path", () -> in.struct("FileSystemPath", p -> PolicyPath.read(p, dialect)));
                case "access" -> access = MemberPath.in("access", () -> Access.parse(in.string()));
                case "missing_path_behavior", "missingPathBehavior" -> {
                    String member = in.name();
                    skip = MemberPath.in(
                            member, () -> in.stringOrNull().map(Entry::skip).orElse(false));
                }
                default -> {}
            }
        }
        return new Entry(in.required("path", path), in.required("access", access), skip);
    }

    private static boolean skip(String behavior) {
        if (!behavior.equals("skip")) {
            throw ParamsReader.unknownVariant(behavior, "`skip`");
        }
        return true;
    }

    void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
        g.writeStartObject();
        g.writeFieldName("path");
        path.write(g, spelling);
        g.writeStringField("access", access.wire());
        if (missingSkip) {
            g.writeStringField(spelling.missing(), "skip");
        }
        g.writeEndObject();
    }
}
