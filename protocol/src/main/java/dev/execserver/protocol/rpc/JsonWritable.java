package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Something that is sent: writes itself as exactly one JSON value. */
@FunctionalInterface
public interface JsonWritable {

    /** The empty object, result of the methods that have nothing to say. */
    JsonWritable EMPTY_OBJECT = g -> {
        g.writeStartObject();
        g.writeEndObject();
    };

    void writeTo(JsonGenerator g) throws IOException;
}
