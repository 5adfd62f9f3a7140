package dev.execserver.server.transport.codec;

import java.io.IOException;

/** Delivers the bytes of a peer. */
@FunctionalInterface
public interface ByteSource {
    /**
     * Waits for bytes and stores at least one and at most {@code length} of them.
     *
     * @return number of bytes, or -1 at the end of the stream
     */
    int read(byte[] into, int offset, int length) throws IOException;
}
