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
 * Result of {@code fs/readFile}. Servers write it with {@link #begin} and {@link #end}, since the file is read straight
 * into the message.
 *
 * @param data not decoded and not checked yet
 */
public record ReadFileResult(Base64Data data) implements DirectWritable {

    /** Room for what is around the Base64 text, the end of the message included. */
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

    /** Everything up to the Base64 text; what is appended until {@link #end} must be that. */
    public static void begin(MessageBuffer out) {
        out.ascii("{\"dataBase64\":\"");
    }

    /** Everything behind the Base64 text. */
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
