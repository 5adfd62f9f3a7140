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
 * Result of the addition {@code fs/search}.
 *
 * @param matches in the order of {@code fs/walk}, then by line
 * @param files number of searched files
 * @param skipped number of files that were skipped: too large, not text, or not readable
 * @param truncated true if a limit ended the search
 */
public record SearchResult(List<Match> matches, int files, int skipped, boolean truncated) implements DirectWritable {

    /**
     * A matching line. Each line is returned once.
     *
     * @param line from 1
     * @param column of the first match in the line, in UTF-16 units, from 1
     * @param text the line without its end, cut to {@link FsLimits#SEARCH_LINE_CHARS}
     */
    public record Match(PathUri path, int line, int column, String text) {}

    public SearchResult {
        matches = List.copyOf(matches);
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static SearchResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsSearchResponse");
        List<Match> matches = List.of();
        int files = 0;
        int skipped = 0;
        boolean truncated = false;
        while (in.next()) {
            switch (in.name()) {
                case "matches" -> matches = in.structs("Match", match -> match(match, dialect));
                case "files" -> files = in.i32();
                case "skipped" -> skipped = in.i32();
                case "truncated" -> truncated = in.bool();
                default -> {}
            }
        }
        return new SearchResult(matches, files, skipped, truncated);
    }

    private static Match match(ParamsReader in, Dialect dialect) {
        PathUri path = null;
        int line = 0;
        int column = 0;
        String text = null;
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "line" -> line = in.i32();
                case "column" -> column = in.i32();
                case "text" -> text = in.string();
                default -> {}
            }
        }
        return new Match(in.required("path", path), line, column, in.required("text", text));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"matches\":[");
        for (int i = 0; i < matches.size(); i++) {
            Match match = matches.get(i);
            out.ascii(i > 0 ? ",{\"path\":" : "{\"path\":");
            out.string(match.path().toUri());
            out.ascii(",\"line\":");
            out.number(match.line());
            out.ascii(",\"column\":");
            out.number(match.column());
            out.ascii(",\"text\":");
            out.string(match.text());
            out.write('}');
        }
        out.ascii("],\"files\":");
        out.number(files);
        out.ascii(",\"skipped\":");
        out.number(skipped);
        out.ascii(",\"truncated\":");
        out.bool(truncated);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
