package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of the addition {@code fs/append}.
 *
 * @param size bytes of the file after the append
 */
public record AppendResult(long size) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static AppendResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsAppendResponse");
        Long size = null;
        while (in.next()) {
            switch (in.name()) {
                case "size" -> size = in.u64();
                default -> {}
            }
        }
        return new AppendResult(in.required("size", size));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("size", size);
        g.writeEndObject();
    }
}
