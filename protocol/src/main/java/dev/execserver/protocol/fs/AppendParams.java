package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the addition {@code fs/append}.
 *
 * @param data content to append; not checked when received, see {@link Base64Data#check}
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 */
public record AppendParams(PathUri path, Base64Data data, boolean followSymlinks, Optional<JsonSlice> sandbox)
        implements FileRequest, DirectWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static AppendParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsAppendParams");
        PathUri path = null;
        Base64Data data = null;
        boolean follow = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "dataBase64" -> data = in.base64Later();
                case "followSymlinks" -> follow = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new AppendParams(in.required("path", path), in.required("dataBase64", data), follow, sandbox);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"path\":");
        out.string(path.toUri());
        out.ascii(",\"dataBase64\":");
        data.writeDirect(out);
        out.ascii(",\"followSymlinks\":");
        out.bool(followSymlinks);
        out.ascii(",\"sandbox\":");
        sandbox.orElse(JsonSlice.NULL).writeDirect(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }

    @Override
    public String method() {
        return FsMethodNames.APPEND;
    }

    @Override
    public FileUse use() {
        return FileUse.WRITE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.append(this);
    }
}
