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

    /** Largest block of {@code fs/readBlock} and {@code fs/writeBlock}. */
    public static final int BLOCK_BYTES = 1 << 20;

    public static final int WALK_DEPTH = 64;
    public static final int WALK_DIRECTORIES = 10_000;
    public static final int WALK_ENTRIES = 50_000;

    /** Paths of one {@code fs/watchMissing}. */
    public static final int MISSING_PATHS = 256;

    private FsLimits() {}
}
