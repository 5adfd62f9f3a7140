package dev.execserver.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.util.Arrays;
import java.util.List;

/**
 * Hidden empty file in the target of a recursive copy. If the copier finds it in the source, both sides are one
 * machine, and the copy has reached its own target, by any name or link. Main thread.
 *
 * @param removal removes the file
 */
record DirectoryMark(PathUri file, IncompleteFiles.Removal removal) implements AutoCloseable {

    /** Returns true if the entries of a directory contain this mark. */
    boolean among(List<PathUri> entries) {
        byte[] name = BytePaths.last(file);
        return entries.stream().anyMatch(entry -> Arrays.equals(BytePaths.last(entry), name));
    }

    @Override
    public void close() {
        removal.close();
    }
}
