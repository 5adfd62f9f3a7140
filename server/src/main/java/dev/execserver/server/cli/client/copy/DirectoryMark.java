package dev.execserver.server.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.util.Arrays;
import java.util.List;

/**
 * A hidden empty file in the target of a recursive copy. Where it is found on the side of the source, both sides are one
 * machine and the copy has come to its own target, by whatever name or link. Main thread.
 *
 * @param removal takes the file away
 */
record DirectoryMark(PathUri file, Leftovers.Removal removal) implements AutoCloseable {

    /** Returns true if these entries of a directory are those of the marked one. */
    boolean among(List<PathUri> entries) {
        byte[] name = Names.last(file);
        return entries.stream().anyMatch(entry -> Arrays.equals(Names.last(entry), name));
    }

    @Override
    public void close() {
        removal.close();
    }
}
