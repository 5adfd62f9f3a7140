package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of the addition {@code fs/unwatch}. */
public record UnwatchParams(long watchId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static UnwatchParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsUnwatchParams");
        Long watchId = null;
        while (in.next()) {
            if (in.name().equals("watchId")) {
                watchId = in.u64();
            }
        }
        return new UnwatchParams(in.required("watchId", watchId));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("watchId", watchId);
        g.writeEndObject();
    }
}
