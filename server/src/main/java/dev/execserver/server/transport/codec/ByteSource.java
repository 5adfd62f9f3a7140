package dev.execserver.server.transport.codec;

import java.io.IOException;

/** Where the bytes of a peer come from. */
@FunctionalInterface
public interface ByteSource {
    /**
     * Waits for bytes and stores at least one and at most {@code length} of them.
     *
     * @return how many, or -1 at the end of the stream
     */
    int read(byte[] into, int offset, int length) throws IOException;
}
