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
 * Result of {@code fs/readFile}. Servers write it with {@link #begin} and {@link #end}, so that the file is read
 * straight into the message.
 *
 * @param data neither decoded nor checked yet
 */
public record ReadFileResult(Base64Data data) implements DirectWritable {

    /** Bytes for the JSON around the Base64 text, including the end of the message. */
    public static final int SYNTAX_BYTES = 64;

    /** Errors are those of {@link ParamsReader}. */
    public static ReadFileResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsReadFileResponse");
        Base64Data data = null;
        while (in.next()) {
            if (in.name().equals("dataBase64")) {
                data = in.base64Later();
            }
        }
        return new ReadFileResult(in.required("dataBase64", data));
    }

    /** Writes everything before the Base64 text. Only Base64 text may follow until {@link #end}. */
    public static void begin(MessageBuffer out) {
        out.ascii("{\"dataBase64\":\"");
    }

    /** Writes everything after the Base64 text. */
    public static void end(MessageBuffer out) {
        out.ascii("\"}");
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.expect(MessageBuffer.base64Length(data.size()) + SYNTAX_BYTES);
        out.ascii("{\"dataBase64\":");
        data.writeDirect(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
