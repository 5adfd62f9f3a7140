package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of the addition {@code fs/watch}.
 *
 * @param watchId chosen by the client, unique within its connection
 * @param path a file, or a directory whose entries are watched; what lies deeper is not
 */
public record WatchParams(long watchId, PathUri path) implements JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WatchParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWatchParams");
        Long watchId = null;
        PathUri path = null;
        while (in.next()) {
            switch (in.name()) {
                case "watchId" -> watchId = in.u64();
                case "path" -> path = PathUri.parse(in.string(), dialect);
                default -> {}
            }
        }
        return new WatchParams(in.required("watchId", watchId), in.required("path", path));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("watchId", watchId);
        g.writeStringField("path", path.toUri());
        g.writeEndObject();
    }
}
