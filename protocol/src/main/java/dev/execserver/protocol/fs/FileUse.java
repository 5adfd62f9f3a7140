package dev.execserver.protocol.fs;

/** The use that a {@link FileRequest} makes of files: it decides where a sandboxed request may run, and if it may be repeated. */
public enum FileUse {
    /** Reads the file or directory of the path. */
    READ,
    /** Reads the names of a whole tree. */
    WALK,
    /** Reads the content of a whole tree. */
    SEARCH,
    /** Reads a whole tree and writes another. */
    COPY,
    /** Removes a whole tree. */
    REMOVE,
    /** Changes what the paths name. */
    WRITE;

    /** Returns true if files are changed, so that the request must not be carried out twice. */
    public boolean changes() {
        return this == COPY || this == REMOVE || this == WRITE;
    }

    /** Returns true if a request may take long, because it goes through a whole tree. */
    public boolean lengthy() {
        return this == WALK || this == SEARCH || this == COPY || this == REMOVE;
    }
}
