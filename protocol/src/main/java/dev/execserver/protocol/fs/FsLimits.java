package dev.execserver.protocol.fs;

/** Bounds of the {@code fs/*} methods. */
public final class FsLimits {

    /** Largest file in bytes of {@code fs/readFile} in the reference server. */
    public static final long READ_FILE_REFERENCE_BYTES = 512L << 20;

    /**
     * Largest file in bytes of {@code fs/readFile} here: its Base64 text and 4 KiB of envelope fit into a message of 64
     * MiB.
     */
    public static final int READ_FILE_BYTES = (48 << 20) - (3 << 10);

    /** Largest answer in bytes whose size is not known in advance, such as a directory listing. */
    public static final int ANSWER_BYTES = (64 << 20) - (4 << 10);

    /** Most open handles of one connection. */
    public static final int HANDLES = 128;

    public static final int HANDLE_ID_BYTES = 32;

    /** All permission bits of chmod(2), including the set-id and sticky bits. */
    public static final int MAX_MODE = 07777;

    /** Largest block in bytes of {@code fs/readBlock} and {@code fs/writeBlock}. */
    public static final int BLOCK_BYTES = 1 << 20;

    /**
     * Default limit for the entries of one {@code fs/readDirectory}, as in the reference server. Clients close the
     * connection when a message has more JSON values than they accept, and each entry has up to five.
     */
    public static final int DIRECTORY_ENTRIES = 50_000;

    public static final int WALK_DEPTH = 64;
    public static final int WALK_DIRECTORIES = 10_000;
    public static final int WALK_ENTRIES = 50_000;

    /** Most paths of one {@code fs/watchMissing}. */
    public static final int MISSING_PATHS = 256;

    /** Most matches of one {@code fs/search}; {@link #SEARCH_DEFAULT_MATCHES} is the default. */
    public static final int SEARCH_MATCHES = 10_000;

    public static final int SEARCH_DEFAULT_MATCHES = 1_000;

    /** Largest file in bytes that is searched. */
    public static final int SEARCH_FILE_BYTES = 16 << 20;

    /** Most characters of the pattern of {@code fs/search}. */
    public static final int SEARCH_PATTERN_CHARS = 16 * 1024;

    /** Most characters of a matching line that are returned. */
    public static final int SEARCH_LINE_CHARS = 1_000;

    /** Longest duration of one {@code fs/search} in milliseconds. */
    public static final int SEARCH_MILLISECONDS = 20_000;

    /** Most watches of {@code fs/watch} of one connection. */
    public static final int WATCHES = 64;

    /** Most directories of one recursive watch. Changes in further ones are lost, which the notification reports. */
    public static final int WATCHED_DIRECTORIES = 4_096;

    /** Most undelivered changes of one watch. Further changes are lost, which the notification reports. */
    public static final int WAITING_CHANGES = 1_024;

    /**
     * Most memory in bytes for undelivered changes of one connection. Further changes are lost, which the notification
     * reports.
     */
    public static final int WAITING_CHANGE_BYTES = 1 << 20;

    private FsLimits() {}
}
