package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.List;

/**
 * Result of {@code initialize} in the app-server dialect.
 *
 * @param userAgent name and version of the server, and of the client
 * @param codexHome folder of settings, which clients expect to be named
 * @param methods addition of this server, written unless it is empty: the methods that it has
 */
public record AppInitializeResult(String userAgent, String codexHome, List<String> methods) implements JsonWritable {

    public AppInitializeResult {
        methods = List.copyOf(methods);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("userAgent", userAgent);
        g.writeStringField("codexHome", codexHome);
        g.writeStringField("platformFamily", "unix");
        g.writeStringField("platformOs", "linux");
        if (!methods.isEmpty()) {
            JsonFields.strings(g, "methods", methods);
        }
        g.writeEndObject();
    }
}
