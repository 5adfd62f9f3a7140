package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the addition {@code fs/search}.
 *
 * @param path a directory, which is searched with everything below it, or one file
 * @param pattern text that a line must contain, not empty
 * @param regex false when absent; true means that the pattern is a regular expression of java.util.regex
 * @param caseSensitive true when absent
 * @param maxMatches 1 to {@link FsLimits#SEARCH_MATCHES}, {@link FsLimits#SEARCH_DEFAULT_MATCHES} when absent
 * @param sandbox sandbox context as undecoded JSON
 */
public record SearchParams(
        PathUri path, String pattern, boolean regex, boolean caseSensitive, int maxMatches, Optional<JsonSlice> sandbox)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static SearchParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsSearchParams");
        PathUri path = null;
        String pattern = null;
        boolean regex = false;
        boolean caseSensitive = true;
        int maxMatches = FsLimits.SEARCH_DEFAULT_MATCHES;
        Optional<JsonSlice> sandbox = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "pattern" -> pattern = in.string();
                case "regex" -> regex = in.boolOrNull().orElse(false);
                case "caseSensitive" -> caseSensitive = in.boolOrNull().orElse(true);
                case "maxMatches" -> maxMatches = in.integer(1, FsLimits.SEARCH_MATCHES, "usize");
                case "sandbox" -> sandbox = in.sliceOrNull();
                default -> {}
            }
        }
        if (in.required("pattern", pattern).isEmpty()) {
            throw RpcException.invalidParams("pattern must not be empty");
        }
        if (pattern.length() > FsLimits.SEARCH_PATTERN_CHARS) {
            throw RpcException.invalidParams("pattern must not have more than " + FsLimits.SEARCH_PATTERN_CHARS
                    + " characters; this one has " + pattern.length());
        }
        return new SearchParams(in.required("path", path), pattern, regex, caseSensitive, maxMatches, sandbox);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeStringField("pattern", pattern);
        g.writeBooleanField("regex", regex);
        g.writeBooleanField("caseSensitive", caseSensitive);
        g.writeNumberField("maxMatches", maxMatches);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.SEARCH;
    }

    @Override
    public FileUse use() {
        return FileUse.SEARCH;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.search(this);
    }
}
