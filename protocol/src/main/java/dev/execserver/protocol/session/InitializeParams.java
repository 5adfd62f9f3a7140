package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of {@code initialize}, the first request of a connection.
 *
 * @param clientName free text
 * @param resumeSessionId session to take over; empty begins a new one. The empty string is an id like any other
 */
public record InitializeParams(String clientName, Optional<String> resumeSessionId) implements JsonWritable {

    /** Both dialects read the same. */
    public static InitializeParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "InitializeParams");
        String clientName = null;
        Optional<String> resumeSessionId = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "clientName" -> clientName = in.string();
                case "resumeSessionId" -> resumeSessionId = in.stringOrNull();
                default -> {}
            }
        }
        return new InitializeParams(in.required("clientName", clientName), resumeSessionId);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("clientName", clientName);
        JsonFields.orNull(g, "resumeSessionId", resumeSessionId);
        g.writeEndObject();
    }
}
