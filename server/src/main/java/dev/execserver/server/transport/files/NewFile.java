package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.FileReplacement;

/**
 * New content for a file. It appears as a whole or not at all, see {@link FileReplacement}. One thread at a time. Every method
 * may throw an {@code RpcException} with code and text of the protocol; the old file is unchanged then.
 */
public interface NewFile {

    /** Appends bytes. Runs on a file worker. */
    void write(byte[] from, int length);

    /** Puts the content in place. Parks. */
    FileReplacement.Stored commit() throws InterruptedException;

    /** Discards content that was not committed. It must be called. Parks. */
    void close() throws InterruptedException;
}
