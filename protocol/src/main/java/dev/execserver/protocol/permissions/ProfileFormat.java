package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;

/** Spelling of a written profile. Readers accept all of them. */
public enum ProfileFormat {
    /** Spelling of requests to an exec-server: snake_case members, paths as {@code file:} URIs. */
    WIRE("file_system", "glob_scan_max_depth", "missing_path_behavior"),
    /** Spelling of files and program arguments: as {@link #WIRE} with native paths. */
    CORE("file_system", "glob_scan_max_depth", "missing_path_behavior"),
    /** Spelling of front ends: camelCase members, native paths, the network as an object. */
    APP("fileSystem", "globScanMaxDepth", "missingPathBehavior");

    private final String fileSystem;
    private final String depth;
    private final String missing;

    ProfileFormat(String fileSystem, String depth, String missing) {
        this.fileSystem = fileSystem;
        this.depth = depth;
        this.missing = missing;
    }

    String fileSystem() {
        return fileSystem;
    }

    String depth() {
        return depth;
    }

    String missing() {
        return missing;
    }

    /**
     * Returns the text of a path. A path that is not UTF-8 has no native text, so it is written as a URI, which every
     * reader accepts.
     */
    String path(PathUri path) {
        return this == WIRE ? path.toUri() : path.text().orElseGet(path::toUri);
    }
}
