package dev.execserver.protocol.fs;

/**
 * Names in {@code features} for additions to params and results of a {@code fs/*} method. A method that is an addition has its own name as
 * its feature.
 */
public final class FsFeatures {

    /** Addition: a write that is seen whole or not at all. */
    public static final String ATOMIC = "atomic";

    /** Addition: a write on condition of the present content. */
    public static final String EXPECT = "expect";

    /** Addition: paths of entries in the answer of {@code fs/readDirectory}. */
    public static final String ENTRY_PATH = "entryPath";

    /** Addition: limit of the entries of {@code fs/readDirectory}. */
    public static final String MAX_ENTRIES = "maxEntries";

    /** Addition: limit of the bytes of {@code fs/readFile}. */
    public static final String MAX_BYTES = "maxBytes";

    /** Addition: permissions of files, in metadata and in writes. */
    public static final String MODE = "mode";

    private FsFeatures() {}
}
