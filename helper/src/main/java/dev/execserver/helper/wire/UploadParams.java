package dev.execserver.helper.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.helper.fs.FileCondition;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of {@link UploadMethods#BEGIN}.
 *
 * @param upload number that the server chooses and never uses twice
 */
public record UploadParams(long upload, PathUri path, FileCondition condition) implements JsonWritable {

    static UploadParams read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "UploadParams");
        Long upload = null;
        PathUri path = null;
        Optional<String> match = Optional.empty();
        Optional<String> noneMatch = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "upload" -> upload = in.u64();
                case "path" -> path = PathUri.parse(in.string(), Dialect.OPEN);
                case "ifMatch" -> match = in.stringOrNull();
                case "ifNoneMatch" -> noneMatch = in.stringOrNull();
                default -> {}
            }
        }
        return new UploadParams(
                in.required("upload", upload), in.required("path", path), new FileCondition(match, noneMatch));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("upload", upload);
        g.writeStringField("path", path.toUri());
        JsonFields.ifPresent(g, "ifMatch", condition.match());
        JsonFields.ifPresent(g, "ifNoneMatch", condition.noneMatch());
        g.writeEndObject();
    }
}
