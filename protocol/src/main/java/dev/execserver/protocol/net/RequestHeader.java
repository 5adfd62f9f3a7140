package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Header field of a request. Neither name nor value is checked here.
 *
 * @param valueEnvVar a variable of the server's environment whose value is appended to {@code value}
 */
public record RequestHeader(String name, String value, Optional<String> valueEnvVar) implements JsonWritable {

    public static RequestHeader of(String name, String value) {
        return new RequestHeader(name, value, Optional.empty());
    }

    static RequestHeader read(ParamsReader in) {
        String name = null;
        String value = null;
        Optional<String> variable = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "name" -> name = in.string();
                case "value" -> value = in.string();
                case "valueEnvVar" -> variable = in.stringOrNull();
                default -> {}
            }
        }
        return new RequestHeader(in.required("name", name), in.required("value", value), variable);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("name", name);
        g.writeStringField("value", value);
        JsonFields.ifPresent(g, "valueEnvVar", valueEnvVar);
        g.writeEndObject();
    }
}
