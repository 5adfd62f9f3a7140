package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code fs/readBlock}.
 *
 * @param offset bytes from the start of the file
 * @param len bytes wanted, 1 to {@link FsLimits#BLOCK_BYTES}
 */
public record ReadBlockParams(String handleId, long offset, long len) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ReadBlockParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsReadBlockParams");
        String handleId = null;
        Long offset = null;
        Long len = null;
        while (in.next()) {
            switch (in.name()) {
                case "handleId" -> handleId = in.string();
                case "offset" -> offset = in.u64();
                case "len" -> len = in.usize();
                default -> {}
            }
        }
        return new ReadBlockParams(
                in.required("handleId", handleId), in.required("offset", offset), in.required("len", len));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("handleId", handleId);
        g.writeNumberField("offset", offset);
        g.writeNumberField("len", len);
        g.writeEndObject();
    }
}
