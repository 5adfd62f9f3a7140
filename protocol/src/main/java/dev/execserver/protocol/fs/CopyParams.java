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
 * Params of {@code fs/copy}.
 *
 * @param recursive true if the source may be a directory
 * @param sandbox sandbox context as undecoded JSON
 */
public record CopyParams(PathUri sourcePath, PathUri destinationPath, boolean recursive, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static CopyParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsCopyParams");
        PathUri sourcePath = null;
        PathUri destinationPath = null;
        Boolean recursive = null;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "sourcePath" -> sourcePath = PathUri.parse(in.string(), dialect);
                case "destinationPath" -> destinationPath = PathUri.parse(in.string(), dialect);
                case "recursive" -> recursive = in.bool();
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new CopyParams(
                in.required("sourcePath", sourcePath),
                in.required("destinationPath", destinationPath),
                in.required("recursive", recursive),
                sandbox);
    }

    @Override
    public PathUri path() {
        return sourcePath;
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("sourcePath", sourcePath.toUri());
        g.writeStringField("destinationPath", destinationPath.toUri());
        g.writeBooleanField("recursive", recursive);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.COPY;
    }

    @Override
    public FileUse use() {
        return FileUse.COPY;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.copy(this);
    }
}
