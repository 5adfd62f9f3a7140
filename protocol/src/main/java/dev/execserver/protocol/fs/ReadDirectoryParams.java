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
import java.util.OptionalLong;

/**
 * Params of {@code fs/readDirectory}.
 *
 * @param sandbox sandbox context as undecoded JSON
 * @param entryPaths true if entries whose name is not UTF-8 get a path; not sent, follows from the dialect
 * @param maxEntries addition: most entries that the client accepts
 */
public record ReadDirectoryParams(PathUri path, Optional<JsonSlice> sandbox, boolean entryPaths, long maxEntries)
        implements FileRequest, JsonWritable {

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static ReadDirectoryParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsReadDirectoryParams");
        PathUri path = null;
        Optional<JsonSlice> sandbox = Optional.empty();
        OptionalLong maxEntries = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "sandbox" -> sandbox = in.sliceOrNull();
                case "maxEntries" -> maxEntries = dialect.open() ? in.u64OrNull() : maxEntries;
                default -> {}
            }
        }
        return new ReadDirectoryParams(
                in.required("path", path), sandbox, dialect.open(), maxEntries.orElse(FsLimits.DIRECTORY_ENTRIES));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        if (maxEntries != FsLimits.DIRECTORY_ENTRIES) {
            g.writeNumberField("maxEntries", maxEntries);
        }
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.READ_DIRECTORY;
    }

    @Override
    public FileUse use() {
        return FileUse.READ;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.readDirectory(this);
    }
}
