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
 * Params of {@code fs/remove}.
 *
 * @param recursive true when absent or null: a directory is removed with everything below it
 * @param force true when absent or null: a missing file is no error
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 */
public record RemoveParams(
        PathUri path, boolean recursive, boolean force, boolean followSymlinks, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static RemoveParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsRemoveParams");
        PathUri path = null;
        boolean recursive = true;
        boolean force = true;
        boolean followSymlinks = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "recursive" -> recursive = in.boolOrNull().orElse(true);
                case "force" -> force = in.boolOrNull().orElse(true);
                case "followSymlinks" -> followSymlinks = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new RemoveParams(in.required("path", path), recursive, force, followSymlinks, sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeBooleanField("recursive", recursive);
        g.writeBooleanField("force", force);
        g.writeBooleanField("followSymlinks", followSymlinks);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.REMOVE;
    }

    @Override
    public FileUse use() {
        return FileUse.REMOVE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.remove(this);
    }
}
