package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * One line of a file policy.
 *
 * @param missingSkip marks a built-in protection. Kept for the way back; on Linux a path that is missing is protected from
 *     being made in any case
 */
public record Entry(PolicyPath path, Access access, boolean missingSkip) {

    /** An ordinary entry. */
    public Entry(PolicyPath path, Access access) {
        this(path, access, false);
    }

    /** An entry for one place known by name. */
    public static Entry of(SpecialPath path, Access access) {
        return new Entry(new PolicyPath.Special(path), access);
    }

    /** An entry for one path. */
    public static Entry of(PathUri path, Access access) {
        return new Entry(new PolicyPath.Exact(path), access);
    }

    /** Whether it is about exactly this place. */
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
                    path = Member.in("path", () -> in.struct("FileSystemPath", p -> PolicyPath.read(p, dialect)));
                case "access" -> access = Member.in("access", () -> Access.parse(in.string()));
                case "missing_path_behavior", "missingPathBehavior" -> {
                    String member = in.name();
                    skip = Member.in(
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

    void write(JsonGenerator g, Spelling spelling) throws IOException {
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
