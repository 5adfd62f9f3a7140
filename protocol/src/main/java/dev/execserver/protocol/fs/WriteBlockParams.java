package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code fs/writeBlock}.
 *
 * @param offset bytes from the start of the file; an offset beyond its end leaves a hole
 * @param chunk valid Base64; 1 to {@link FsLimits#BLOCK_BYTES} bytes are accepted
 */
public record WriteBlockParams(String handleId, long offset, Base64Data chunk) implements DirectWritable {

    /** Errors are those of {@link ParamsReader}. Invalid Base64 is refused too. */
    public static WriteBlockParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWriteBlockParams");
        String handleId = null;
        Long offset = null;
        Base64Data chunk = null;
        while (in.next()) {
            switch (in.name()) {
                case "handleId" -> handleId = in.string();
                case "offset" -> offset = in.u64();
                case "chunk" -> chunk = checked(in.base64Later(), dialect);
                default -> {}
            }
        }
        return new WriteBlockParams(
                in.required("handleId", handleId), in.required("offset", offset), in.required("chunk", chunk));
    }

    private static Base64Data checked(Base64Data data, Dialect dialect) {
        try {
            data.check();
            return data;
        } catch (InvalidBase64Exception e) {
            throw e.inParams("chunk", dialect);
        }
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"handleId\":");
        out.string(handleId);
        out.ascii(",\"offset\":");
        out.number(offset);
        out.ascii(",\"chunk\":");
        chunk.writeDirect(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
