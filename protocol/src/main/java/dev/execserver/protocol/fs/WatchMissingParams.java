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
 * Params of {@code fs/watchMissing}.
 *
 * @param watchId returned in the notification
 * @param missing paths that do not exist
 * @param present a path that exists
 */
public record WatchMissingParams(long watchId, List<PathUri> missing, Optional<PathUri> present)
        implements JsonWritable {

    public WatchMissingParams {
        missing = List.copyOf(missing);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WatchMissingParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWatchMissingParams");
        Long watchId = null;
        List<String> missing = null;
        Optional<String> present = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "watchId" -> watchId = in.u64();
                case "missing" -> missing = in.strings();
                case "present" -> present = in.stringOrNull();
                default -> {}
            }
        }
        return new WatchMissingParams(
                in.required("watchId", watchId),
                in.required("missing", missing).stream()
                        .map(path -> PathUri.parse(path, dialect))
                        .toList(),
                present.map(path -> PathUri.parse(path, dialect)));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("watchId", watchId);
        JsonFields.strings(g, "missing", missing.stream().map(PathUri::toUri).toList());
        JsonFields.orNull(g, "present", present.map(PathUri::toUri));
        g.writeEndObject();
    }
}
