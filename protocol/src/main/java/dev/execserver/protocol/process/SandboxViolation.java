package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Something that a sandboxed process was not to do and that could only be found out at its end. An addition.
 *
 * @param kind {@code protectedLink}: a symbolic link at a protected name, over which nothing can be mounted, was changed
 * @param path what was changed
 * @param found what was there instead, for people
 * @param repaired whether it is as before
 * @param movedTo where what was there lies now, when it was more than a link
 */
public record SandboxViolation(String kind, String path, String found, boolean repaired, Optional<String> movedTo)
        implements JsonWritable {

    public static final String PROTECTED_LINK = "protectedLink";

    static SandboxViolation read(ParamsReader in) {
        String kind = null;
        String path = null;
        String found = "";
        boolean repaired = false;
        Optional<String> movedTo = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "kind" -> kind = in.string();
                case "path" -> path = in.string();
                case "found" -> found = in.string();
                case "repaired" -> repaired = in.bool();
                case "movedTo" -> movedTo = in.stringOrNull();
                default -> {}
            }
        }
        return new SandboxViolation(in.required("kind", kind), in.required("path", path), found, repaired, movedTo);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("kind", kind);
        g.writeStringField("path", path);
        g.writeStringField("found", found);
        g.writeBooleanField("repaired", repaired);
        JsonFields.ifPresent(g, "movedTo", movedTo);
        g.writeEndObject();
    }
}
