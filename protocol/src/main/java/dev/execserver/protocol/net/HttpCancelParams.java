package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code http/request/cancel}.
 *
 * @param requestId id of a streamed response; an unknown or ended one is no error
 */
public record HttpCancelParams(String requestId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static HttpCancelParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "HttpCancelParams");
        String requestId = null;
        while (in.next()) {
            if (in.name().equals("requestId")) {
                requestId = in.string();
            }
        }
        return new HttpCancelParams(in.required("requestId", requestId));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("requestId", requestId);
        g.writeEndObject();
    }
}
