package dev.execserver.server.transport.codec;

import java.io.IOException;

/** Where bytes for a peer go. */
@FunctionalInterface
public interface ByteSink {
    /** Writes all of the bytes, waiting for a slow peer as long as needed. */
    void write(byte[] from, int offset, int length) throws IOException;
}
