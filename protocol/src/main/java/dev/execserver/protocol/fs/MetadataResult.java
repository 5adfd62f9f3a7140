package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalInt;

/**
 * Result of {@code fs/getMetadata}. For a symbolic link, type and size are those of its target.
 *
 * @param isSymlink true if the path itself is a symbolic link
 * @param size bytes
 * @param createdAtMs milliseconds since 1970; 0 if the birth time is unknown
 * @param modifiedAtMs milliseconds since 1970
 * @param mode addition, only on request: permission bits as in chmod(2)
 */
public record MetadataResult(
        boolean isDirectory,
        boolean isFile,
        boolean isSymlink,
        long size,
        long createdAtMs,
        long modifiedAtMs,
        OptionalInt mode)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static MetadataResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsGetMetadataResponse");
        Boolean directory = null;
        Boolean file = null;
        boolean symlink = false;
        Long size = null;
        long created = 0;
        Long modified = null;
        OptionalInt mode = OptionalInt.empty();
        while (in.next()) {
            switch (in.name()) {
                case "isDirectory" -> directory = in.bool();
                case "isFile" -> file = in.bool();
                case "isSymlink" -> symlink = in.bool();
                case "size" -> size = in.u64();
                case "createdAtMs" -> created = in.i64();
                case "modifiedAtMs" -> modified = in.i64();
                case "mode" -> mode = OptionalInt.of(in.integer(0, FsLimits.MAX_MODE, "mode"));
                default -> {}
            }
        }
        return new MetadataResult(
                in.required("isDirectory", directory),
                in.required("isFile", file),
                symlink,
                in.required("size", size),
                created,
                in.required("modifiedAtMs", modified),
                mode);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("isDirectory", isDirectory);
        g.writeBooleanField("isFile", isFile);
        g.writeBooleanField("isSymlink", isSymlink);
        g.writeNumberField("size", size);
        g.writeNumberField("createdAtMs", createdAtMs);
        g.writeNumberField("modifiedAtMs", modifiedAtMs);
        if (mode.isPresent()) {
            g.writeNumberField("mode", mode.getAsInt());
        }
        g.writeEndObject();
    }
}
