package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;

/** Result of {@code fs/open}. */
public record OpenResult(String handleId) implements JsonWritable {

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("handleId", handleId);
        g.writeEndObject();
    }
}
