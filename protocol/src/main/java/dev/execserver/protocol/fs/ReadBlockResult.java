package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code fs/readBlock}.
 *
 * @param chunk neither decoded nor checked when received
 * @param eof true if the read reached the end of the file
 */
public record ReadBlockResult(Base64Data chunk, boolean eof) implements DirectWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ReadBlockResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsReadBlockResponse");
        Base64Data chunk = null;
        Boolean eof = null;
        while (in.next()) {
            switch (in.name()) {
                case "chunk" -> chunk = in.base64Later();
                case "eof" -> eof = in.bool();
                default -> {}
            }
        }
        return new ReadBlockResult(in.required("chunk", chunk), in.required("eof", eof));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.expect(MessageBuffer.base64Length(chunk.size()) + ReadFileResult.SYNTAX_BYTES);
        out.ascii("{\"chunk\":");
        chunk.writeDirect(out);
        out.ascii(",\"eof\":");
        out.bool(eof);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
