package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** A value that can write itself as exactly one JSON value. */
@FunctionalInterface
public interface JsonWritable {

    /** The empty object: the result of methods that return nothing. */
    JsonWritable EMPTY_OBJECT = g -> {
        g.writeStartObject();
        g.writeEndObject();
    };

    void writeTo(JsonGenerator g) throws IOException;
}
