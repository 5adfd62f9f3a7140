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
 * Params of {@code fs/canonicalize}.
 *
 * @param sandbox sandbox context as undecoded JSON
 */
public record CanonicalizeParams(PathUri path, Optional<JsonSlice> sandbox) implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static CanonicalizeParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsCanonicalizeParams");
        PathUri path = null;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new CanonicalizeParams(in.required("path", path), sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.CANONICALIZE;
    }

    @Override
    public FileUse use() {
        return FileUse.READ;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.canonicalize(this);
    }
}
