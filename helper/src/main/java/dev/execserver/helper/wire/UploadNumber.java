package dev.execserver.helper.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@link UploadMethods#COMMIT} and {@link UploadMethods#ABORT}.
 *
 * @param upload as in {@link UploadParams}
 */
public record UploadNumber(long upload) implements JsonWritable {

    static UploadNumber read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "UploadNumber");
        Long upload = null;
        while (in.next()) {
            if (in.name().equals("upload")) {
                upload = in.u64();
            }
        }
        return new UploadNumber(in.required("upload", upload));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("upload", upload);
        g.writeEndObject();
    }
}
