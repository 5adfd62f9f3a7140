package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Limits and options of {@code fs/walk}.
 *
 * @param maxDepth levels below the children of the root; 0 lists only the children. At most {@link FsLimits#WALK_DEPTH}
 * @param maxDirectories most directories that are read, including the root; 1 to {@link FsLimits#WALK_DIRECTORIES}
 * @param maxEntries most entries that are examined, including skipped links; 1 to {@link FsLimits#WALK_ENTRIES}
 * @param followDirectorySymlinks true if links to directories are listed and entered
 * @param pruneHiddenDirectories true if directories whose name begins with a dot are listed but not entered
 */
public record WalkOptions(
        long maxDepth,
        long maxDirectories,
        long maxEntries,
        boolean followDirectorySymlinks,
        boolean pruneHiddenDirectories) {

    static WalkOptions read(ParamsReader in) {
        Long depth = null;
        Long directories = null;
        Long entries = null;
        Boolean follow = null;
        boolean prune = false;
        while (in.next()) {
            switch (in.name()) {
                case "maxDepth" -> depth = in.usize();
                case "maxDirectories" -> directories = in.usize();
                case "maxEntries" -> entries = in.usize();
                case "followDirectorySymlinks" -> follow = in.bool();
                case "pruneHiddenDirectories" -> prune = in.bool();
                default -> {}
            }
        }
        return new WalkOptions(
                in.required("maxDepth", depth),
                in.required("maxDirectories", directories),
                in.required("maxEntries", entries),
                in.required("followDirectorySymlinks", follow),
                prune);
    }

    void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("maxDepth", maxDepth);
        g.writeNumberField("maxDirectories", maxDirectories);
        g.writeNumberField("maxEntries", maxEntries);
        g.writeBooleanField("followDirectorySymlinks", followDirectorySymlinks);
        g.writeBooleanField("pruneHiddenDirectories", pruneHiddenDirectories);
        g.writeEndObject();
    }
}
