package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;

/** Params of the notification {@code fs/missingChanged}, which is sent once for a watch. */
public record MissingChangedNotification(long watchId) implements JsonWritable {

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("watchId", watchId);
        g.writeEndObject();
    }
}
