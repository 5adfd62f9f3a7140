package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;

/**
 * Result of {@code fs/watchMissing}.
 *
 * @param watching true if a notification may follow
 */
public record WatchMissingResult(boolean watching) implements JsonWritable {

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("watching", watching);
        g.writeEndObject();
    }
}
