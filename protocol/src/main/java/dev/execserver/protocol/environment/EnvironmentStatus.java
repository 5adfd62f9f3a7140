package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code environment/status}.
 *
 * @param status always {@code ready}; no other value is known
 */
public record EnvironmentStatus(String status) implements JsonWritable {

    public static final EnvironmentStatus READY = new EnvironmentStatus("ready");

    /** Errors are those of {@link ParamsReader}. */
    public static EnvironmentStatus read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "EnvironmentStatusResponse");
        String status = null;
        while (in.next()) {
            if (in.name().equals("status")) {
                status = in.string();
            }
        }
        return new EnvironmentStatus(in.required("status", status));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("status", status);
        g.writeEndObject();
    }
}
