package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.FileSink;

/**
 * New content for a file, which appears whole or not at all, see {@link FileSink}. One thread at a time. Every method may
 * throw an {@code RpcException} with code and text of the protocol; then the old file is as it was.
 */
public interface NewFile {

    /** Appends. On a file worker. */
    void write(byte[] from, int length);

    /** Puts the content in place. Parks. */
    FileSink.Stored commit() throws InterruptedException;

    /** Discards what was not committed; must be called. Parks. */
    void close() throws InterruptedException;
}
