package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of {@code fs/close}. */
public record CloseParams(String handleId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CloseParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsCloseParams");
        String handleId = null;
        while (in.next()) {
            if (in.name().equals("handleId")) {
                handleId = in.string();
            }
        }
        return new CloseParams(in.required("handleId", handleId));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("handleId", handleId);
        g.writeEndObject();
    }
}
