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
 * @param path a file, or a directory whose entries are watched
 * @param recursive true to watch all directories below it too, including those that appear later
 */
public record WatchParams(long watchId, PathUri path, boolean recursive) implements JsonWritable {

    /** Makes params for a watch of one file or one directory. */
    public WatchParams(long watchId, PathUri path) {
        this(watchId, path, false);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WatchParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWatchParams");
        Long watchId = null;
        PathUri path = null;
        boolean recursive = false;
        while (in.next()) {
            switch (in.name()) {
                case "watchId" -> watchId = in.u64();
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "recursive" -> recursive = in.boolOrNull().orElse(false);
                default -> {}
            }
        }
        return new WatchParams(in.required("watchId", watchId), in.required("path", path), recursive);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("watchId", watchId);
        g.writeStringField("path", path.toUri());
        if (recursive) {
            g.writeBooleanField("recursive", true);
        }
        g.writeEndObject();
    }
}
