package dev.execserver.protocol.fs;

/** Bounds of the {@code fs/*} methods. */
public final class FsLimits {

    /** Largest file of {@code fs/readFile} in the reference. */
    public static final long READ_FILE_REFERENCE_BYTES = 512L << 20;

    /** Largest file of {@code fs/readFile} here: its Base64 and 4 KiB of envelope fit a message of 64 MiB. */
    public static final int READ_FILE_BYTES = (48 << 20) - (3 << 10);

    /** Largest answer whose size is not known beforehand, such as the list of a directory. */
    public static final int ANSWER_BYTES = (64 << 20) - (4 << 10);

    /** Open handles of one connection. */
    public static final int HANDLES = 128;

    public static final int HANDLE_ID_BYTES = 32;

    /** Permission bits of chmod(2), set-id and sticky bits included. */
    public static final int MAX_MODE = 07777;

    /** Largest block of {@code fs/readBlock} and {@code fs/writeBlock}. */
    public static final int BLOCK_BYTES = 1 << 20;

    /**
     * Entries of one {@code fs/readDirectory} unless it asks for more, as in the reference: clients end the connection when a
     * message has more values than they take, and each entry is up to five.
     */
    public static final int DIRECTORY_ENTRIES = 50_000;

    public static final int WALK_DEPTH = 64;
    public static final int WALK_DIRECTORIES = 10_000;
    public static final int WALK_ENTRIES = 50_000;

    /** Paths of one {@code fs/watchMissing}. */
    public static final int MISSING_PATHS = 256;

    /** Matches of one {@code fs/search}, and how many there are without a wish. */
    public static final int SEARCH_MATCHES = 10_000;

    public static final int SEARCH_DEFAULT_MATCHES = 1_000;

    /** Larger files are not searched. */
    public static final int SEARCH_FILE_BYTES = 16 << 20;

    /** Of {@code fs/search}: characters of the pattern. */
    public static final int SEARCH_PATTERN_CHARS = 16 * 1024;

    /** Characters of a matching line that are told. */
    public static final int SEARCH_LINE_CHARS = 1_000;

    /** How long one {@code fs/search} may take. */
    public static final int SEARCH_MILLISECONDS = 20_000;

    /** Watches of {@code fs/watch} that one connection may have. */
    public static final int WATCHES = 64;

    /** Directories that one recursive watch watches; changes in further ones are lost, and said to be. */
    public static final int WATCHED_DIRECTORIES = 4_096;

    /** Changes of one watch that wait for their connection; what comes when there are so many is lost, and said to be. */
    public static final int WAITING_CHANGES = 1_024;

    /** Memory of the changes of one connection that wait for it; further ones are lost, and said to be. */
    public static final int WAITING_CHANGE_BYTES = 1 << 20;

    private FsLimits() {}
}
