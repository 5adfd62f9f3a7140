package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Params of the notification {@code fs/changed}, an addition.
 *
 * @param changes in order; two equal changes in a row are sent once
 * @param overflow true if further changes were lost; the client must look itself
 * @param ended true if the watched file is gone; the watch has ended with it
 */
public record ChangedNotification(long watchId, List<Change> changes, boolean overflow, boolean ended)
        implements DirectWritable {

    /** One change of a path. */
    public record Change(PathUri path, Kind kind) {}

    /** Type of a change. */
    public enum Kind {
        /** The file was made, or renamed to this name. */
        CREATED,
        /** The content was written. */
        MODIFIED,
        /** Mode, owner or times were changed. */
        ATTRIBUTES,
        /** The file was removed, or renamed to another name. */
        REMOVED
    }

    public ChangedNotification {
        changes = List.copyOf(changes);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static ChangedNotification read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsChangedNotification");
        Long watchId = null;
        List<Change> changes = List.of();
        boolean overflow = false;
        boolean ended = false;
        while (in.next()) {
            switch (in.name()) {
                case "watchId" -> watchId = in.u64();
                case "changes" -> changes = in.structs("Change", change -> change(change, dialect));
                case "overflow" -> overflow = in.bool();
                case "ended" -> ended = in.bool();
                default -> {}
            }
        }
        return new ChangedNotification(in.required("watchId", watchId), changes, overflow, ended);
    }

    private static Change change(ParamsReader in, Dialect dialect) {
        PathUri path = null;
        Kind kind = null;
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "kind" -> kind = kind(in.string());
                default -> {}
            }
        }
        return new Change(in.required("path", path), in.required("kind", kind));
    }

    private static Kind kind(String text) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> ParamsReader.unknownVariant(text, "created, modified, attributes or removed"));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"watchId\":");
        out.number(watchId);
        out.ascii(",\"changes\":[");
        for (int i = 0; i < changes.size(); i++) {
            out.ascii(i > 0 ? ",{\"path\":" : "{\"path\":");
            out.string(changes.get(i).path().toUri());
            out.ascii(",\"kind\":\"" + changes.get(i).kind().name().toLowerCase(Locale.ROOT) + "\"}");
        }
        out.write(']');
        if (overflow) {
            out.ascii(",\"overflow\":true");
        }
        if (ended) {
            out.ascii(",\"ended\":true");
        }
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
