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
 * Params of {@code fs/walk}.
 *
 * @param sandbox sandbox context as undecoded JSON
 */
public record WalkParams(PathUri path, WalkOptions options, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WalkParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWalkParams");
        PathUri path = null;
        WalkOptions options = null;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "options" -> options = in.struct("WalkOptions", WalkOptions::read);
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        return new WalkParams(in.required("path", path), in.required("options", options), sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeFieldName("options");
        options.writeTo(g);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.WALK;
    }

    @Override
    public FileUse use() {
        return FileUse.WALK;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.walk(this);
    }
}
