package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the addition {@code fs/setMode}.
 *
 * @param mode permission bits as in chmod(2), 0 to 07777
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 */
public record SetModeParams(PathUri path, int mode, boolean followSymlinks, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static SetModeParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsSetModeParams");
        PathUri path = null;
        Integer mode = null;
        boolean follow = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "mode" -> mode = in.integer(0, FsLimits.MAX_MODE, "mode");
                case "followSymlinks" -> follow = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new SetModeParams(in.required("path", path), in.required("mode", mode), follow, sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeNumberField("mode", mode);
        g.writeBooleanField("followSymlinks", followSymlinks);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.SET_MODE;
    }

    @Override
    public FileUse use() {
        return FileUse.WRITE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.setMode(this);
    }
}
