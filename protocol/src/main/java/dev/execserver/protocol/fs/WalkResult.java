package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;

/**
 * Result of {@code fs/walk}.
 *
 * @param entries breadth first, sorted by name within each directory
 * @param errors directories and entries that could not be read
 * @param truncated true if a limit ended the walk
 */
public record WalkResult(List<Entry> entries, List<Problem> errors, boolean truncated) implements DirectWritable {

    /** A file or directory that was found. */
    public record Entry(PathUri path, boolean directory) {

        static Entry read(ParamsReader in) {
            PathUri path = null;
            String kind = null;
            while (in.next()) {
                switch (in.name()) {
                    case "path" -> path = PathUri.parse(in.string(), Dialect.OPEN);
                    case "kind" -> kind = in.string();
                    default -> {}
                }
            }
            return new Entry(
                    in.required("path", path), in.required("kind", kind).equals("directory"));
        }
    }

    /** A path that could not be read, and the reason. */
    public record Problem(PathUri path, String message) {

        static Problem read(ParamsReader in) {
            PathUri path = null;
            String message = null;
            while (in.next()) {
                switch (in.name()) {
                    case "path" -> path = PathUri.parse(in.string(), Dialect.OPEN);
                    case "message" -> message = in.string();
                    default -> {}
                }
            }
            return new Problem(in.required("path", path), in.required("message", message));
        }
    }

    public WalkResult {
        entries = List.copyOf(entries);
        errors = List.copyOf(errors);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WalkResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsWalkResponse");
        List<Entry> entries = null;
        List<Problem> errors = List.of();
        boolean truncated = false;
        while (in.next()) {
            switch (in.name()) {
                case "entries" -> entries = in.structs("WalkEntry", Entry::read);
                case "errors" -> errors = in.structs("WalkError", Problem::read);
                case "truncated" -> truncated = in.bool();
                default -> {}
            }
        }
        return new WalkResult(in.required("entries", entries), errors, truncated);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"entries\":[");
        for (int i = 0; i < entries.size(); i++) {
            out.ascii(i > 0 ? ",{\"path\":" : "{\"path\":");
            out.string(entries.get(i).path().toUri());
            out.ascii(entries.get(i).directory() ? ",\"kind\":\"directory\"}" : ",\"kind\":\"file\"}");
        }
        out.ascii("],\"errors\":[");
        for (int i = 0; i < errors.size(); i++) {
            out.ascii(i > 0 ? ",{\"path\":" : "{\"path\":");
            out.string(errors.get(i).path().toUri());
            out.ascii(",\"message\":");
            out.string(errors.get(i).message());
            out.write('}');
        }
        out.ascii("],\"truncated\":");
        out.bool(truncated);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
