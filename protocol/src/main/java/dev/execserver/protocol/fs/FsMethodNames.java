package dev.execserver.protocol.fs;

/** Names of the {@code fs/*} methods and notifications. */
public final class FsMethodNames {

    public static final String READ_FILE = "fs/readFile";
    public static final String WRITE_FILE = "fs/writeFile";
    public static final String CREATE_DIRECTORY = "fs/createDirectory";
    public static final String GET_METADATA = "fs/getMetadata";
    public static final String CANONICALIZE = "fs/canonicalize";
    public static final String READ_DIRECTORY = "fs/readDirectory";
    public static final String WALK = "fs/walk";
    public static final String REMOVE = "fs/remove";
    public static final String COPY = "fs/copy";

    public static final String OPEN = "fs/open";
    public static final String READ_BLOCK = "fs/readBlock";
    public static final String WRITE_BLOCK = "fs/writeBlock";
    public static final String CLOSE = "fs/close";

    public static final String WATCH_MISSING = "fs/watchMissing";
    /** Notification of a watch that {@link #WATCH_MISSING} has set. */
    public static final String MISSING_CHANGED = "fs/missingChanged";

    // Additions.

    public static final String RENAME = "fs/rename";
    public static final String APPEND = "fs/append";
    public static final String SET_MODE = "fs/setMode";
    public static final String SEARCH = "fs/search";
    public static final String WATCH = "fs/watch";
    public static final String UNWATCH = "fs/unwatch";
    /** Notification of a watch that {@link #WATCH} has set. */
    public static final String CHANGED = "fs/changed";

    private FsMethodNames() {}
}
