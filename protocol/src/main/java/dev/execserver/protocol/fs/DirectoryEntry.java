package dev.execserver.protocol.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Optional;

/**
 * One entry of {@code fs/readDirectory}. For a symbolic link both flags describe its target. Both are false for a
 * broken link, a device, a pipe and a socket.
 *
 * @param fileName bytes that are not UTF-8 become U+FFFD
 * @param path addition: the path of the entry, only when its name is not UTF-8
 */
public record DirectoryEntry(String fileName, boolean isDirectory, boolean isFile, Optional<PathUri> path) {

    static DirectoryEntry read(ParamsReader in) {
        String fileName = null;
        Boolean directory = null;
        Boolean file = null;
        Optional<PathUri> path = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "fileName" -> fileName = in.string();
                case "isDirectory" -> directory = in.bool();
                case "isFile" -> file = in.bool();
                case "path" -> path = in.stringOrNull().map(uri -> PathUri.parse(uri, Dialect.OPEN));
                default -> {}
            }
        }
        return new DirectoryEntry(
                in.required("fileName", fileName),
                in.required("isDirectory", directory),
                in.required("isFile", file),
                path);
    }

    /** Appends the entry as a JSON object. */
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"fileName\":");
        out.string(fileName);
        out.ascii(",\"isDirectory\":");
        out.bool(isDirectory);
        out.ascii(",\"isFile\":");
        out.bool(isFile);
        path.ifPresent(uri -> {
            out.ascii(",\"path\":");
            out.string(uri.toUri());
        });
        out.write('}');
    }
}
