package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Violation by a sandboxed process that could be detected only at its end. An addition.
 *
 * @param kind {@code protectedLink}: the process changed a symbolic link at a protected name, where no mount can
 *     protect it
 * @param path changed path
 * @param found state that was found at the path, for people
 * @param repaired true if the old state was restored
 * @param movedTo new path of the files that were found there, if they were more than a link
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
