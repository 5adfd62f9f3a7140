package dev.execserver.protocol.fs;

/** Names of the {@code fs/*} methods that have records here. */
public final class FsMethodNames {

    public static final String GET_METADATA = "fs/getMetadata";

    private FsMethodNames() {}
}
