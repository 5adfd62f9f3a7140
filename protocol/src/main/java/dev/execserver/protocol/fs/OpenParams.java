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
 * Params of {@code fs/open}.
 *
 * @param handleId chosen by the client, at most {@link FsLimits#HANDLE_ID_BYTES} bytes of UTF-8
 * @param mode {@link OpenMode#READ} when absent
 * @param sandbox sandbox context as undecoded JSON
 */
public record OpenParams(String handleId, PathUri path, OpenMode mode, Optional<JsonSlice> sandbox)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static OpenParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsOpenParams");
        String handleId = null;
        PathUri path = null;
        OpenMode mode = OpenMode.READ;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "handleId" -> handleId = in.string();
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "mode" -> mode = OpenMode.parse(in.string());
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new OpenParams(in.required("handleId", handleId), in.required("path", path), mode, sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("handleId", handleId);
        g.writeStringField("path", path.toUri());
        g.writeStringField("mode", mode.wire());
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }
}
