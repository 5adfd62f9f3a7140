package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;

/**
 * Result of the addition {@code fs/append}.
 *
 * @param size bytes of the file afterwards
 */
public record AppendResult(long size) implements JsonWritable {

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("size", size);
        g.writeEndObject();
    }
}
