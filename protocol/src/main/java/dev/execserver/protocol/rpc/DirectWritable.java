package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A {@link JsonWritable} on the hot path, which can also write itself without a generator. Both ways produce the same
 * bytes; {@link MessageEncoder} uses the direct one.
 */
public interface DirectWritable extends JsonWritable {

    /** Appends exactly one JSON value. */
    void writeDirect(MessageBuffer out);

    /** Writes a value through a generator, for values that have only the direct form. */
    static void copy(DirectWritable value, JsonGenerator g) throws IOException {
        MessageBuffer out = new MessageBuffer();
        value.writeDirect(out);
        g.writeRawValue(new String(out.array(), out.offset(), out.length(), StandardCharsets.UTF_8));
    }
}
