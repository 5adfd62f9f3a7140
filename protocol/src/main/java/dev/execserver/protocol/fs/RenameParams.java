package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Params of the addition {@code fs/rename}.
 *
 * @param replace false when absent: an existing destination is an error
 * @param sandbox sandbox context as undecoded JSON
 */
public record RenameParams(PathUri sourcePath, PathUri destinationPath, boolean replace, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static RenameParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsRenameParams");
        PathUri source = null;
        PathUri destination = null;
        boolean replace = false;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "sourcePath" -> source = PathUri.parse(in.string(), dialect);
                case "destinationPath" -> destination = PathUri.parse(in.string(), dialect);
                case "replace" -> replace = in.boolOrNull().orElse(false);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new RenameParams(
                in.required("sourcePath", source), in.required("destinationPath", destination), replace, sandbox);
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
        g.writeBooleanField("replace", replace);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.RENAME;
    }

    @Override
    public FileUse use() {
        return FileUse.WRITE;
    }

    @Override
    public List<PathUri> written() {
        return List.of(sourcePath, destinationPath);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.rename(this);
    }
}
