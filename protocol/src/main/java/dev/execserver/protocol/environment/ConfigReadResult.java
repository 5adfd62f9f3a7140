package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.Optional;

/**
 * Result of {@code environmentConfig/read} of a host without such configuration: it has no layers of settings or
 * requirements.
 *
 * @param codexHomeDir directory where a client of that name would look for its files
 */
public record ConfigReadResult(Optional<PathUri> userHomeDir, Optional<PathUri> codexHomeDir, String hostname)
        implements JsonWritable {

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.orNull(g, "userHomeDir", userHomeDir.map(PathUri::toUri));
        JsonFields.orNull(g, "codexHomeDir", codexHomeDir.map(PathUri::toUri));
        g.writeStringField("hostname", hostname);
        noLayers(g, "config");
        noLayers(g, "requirements");
        g.writeEndObject();
    }

    private static void noLayers(JsonGenerator g, String name) throws IOException {
        g.writeObjectFieldStart(name);
        g.writeArrayFieldStart("layers");
        g.writeEndArray();
        g.writeNumberField("cloudInsertionIndex", 0);
        g.writeEndObject();
    }
}
