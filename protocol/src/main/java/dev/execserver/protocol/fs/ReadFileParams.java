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
import java.util.OptionalLong;

/**
 * Params of {@code fs/readFile}.
 *
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 * @param maxBytes addition: most bytes that the client accepts
 */
public record ReadFileParams(PathUri path, boolean followSymlinks, Optional<JsonSlice> sandbox, OptionalLong maxBytes)
        implements FileRequest, JsonWritable {

    /** Makes params without a limit of the client. */
    public ReadFileParams(PathUri path, boolean followSymlinks, Optional<JsonSlice> sandbox) {
        this(path, followSymlinks, sandbox, OptionalLong.empty());
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static ReadFileParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsReadFileParams");
        PathUri path = null;
        boolean followSymlinks = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        OptionalLong maxBytes = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "followSymlinks" -> followSymlinks = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                case "maxBytes" -> maxBytes = dialect.open() ? in.u64OrNull() : maxBytes;
                default -> {}
            }
        }
        return new ReadFileParams(in.required("path", path), followSymlinks, sandbox, maxBytes);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeBooleanField("followSymlinks", followSymlinks);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        if (maxBytes.isPresent()) {
            g.writeNumberField("maxBytes", maxBytes.getAsLong());
        }
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.READ_FILE;
    }

    @Override
    public FileUse use() {
        return FileUse.READ;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.readFile(this);
    }
}
