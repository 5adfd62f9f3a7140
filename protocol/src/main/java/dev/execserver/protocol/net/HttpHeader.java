package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Header field of a response.
 *
 * @param name in lower case when a server sends it
 */
public record HttpHeader(String name, String value) implements JsonWritable {

    static HttpHeader read(ParamsReader in) {
        String name = null;
        String value = null;
        while (in.next()) {
            switch (in.name()) {
                case "name" -> name = in.string();
                case "value" -> value = in.string();
                default -> {}
            }
        }
        return new HttpHeader(in.required("name", name), in.required("value", value));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("name", name);
        g.writeStringField("value", value);
        g.writeEndObject();
    }
}
