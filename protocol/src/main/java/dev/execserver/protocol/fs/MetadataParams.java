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
 * Params of {@code fs/getMetadata}.
 *
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 * @param mode addition: true to get the mode in the result
 */
public record MetadataParams(PathUri path, boolean followSymlinks, Optional<JsonSlice> sandbox, boolean mode)
        implements FileRequest, JsonWritable {

    /** Makes params without additions. */
    public MetadataParams(PathUri path, boolean followSymlinks, Optional<JsonSlice> sandbox) {
        this(path, followSymlinks, sandbox, false);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static MetadataParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsGetMetadataParams");
        PathUri path = null;
        boolean follow = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        boolean mode = false;
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "followSymlinks" -> follow = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                case "mode" -> mode = dialect.open() && in.boolOrNull().orElse(false);
                default -> {}
            }
        }
        return new MetadataParams(in.required("path", path), follow, sandbox, mode);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeBooleanField("followSymlinks", followSymlinks);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        if (mode) {
            g.writeBooleanField("mode", true);
        }
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.GET_METADATA;
    }

    @Override
    public FileUse use() {
        return FileUse.READ;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.metadata(this);
    }
}
