package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Result of {@code fs/canonicalize}: the path without symbolic links and dots. */
public record CanonicalizeResult(PathUri path) implements JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static CanonicalizeResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsCanonicalizeResponse");
        PathUri path = null;
        while (in.next()) {
            if (in.name().equals("path")) {
                path = PathUri.parse(in.string(), dialect);
            }
        }
        return new CanonicalizeResult(in.required("path", path));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeEndObject();
    }
}
