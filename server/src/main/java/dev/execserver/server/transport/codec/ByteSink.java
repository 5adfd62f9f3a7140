package dev.execserver.server.transport.codec;

import java.io.IOException;

/** Takes bytes for a peer. */
@FunctionalInterface
public interface ByteSink {
    /** Writes all of the bytes, and waits as long as a slow peer needs. */
    void write(byte[] from, int offset, int length) throws IOException;
}
