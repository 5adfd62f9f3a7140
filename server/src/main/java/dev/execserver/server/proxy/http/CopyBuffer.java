package dev.execserver.server.proxy.http;

/**
 * Buffer for one direction of a connection. Small while little data moves, so that thousands of idle connections cost
 * little; large as soon as a read fills it. One thread.
 */
public final class CopyBuffer {

    private static final int SMALL_BYTES = 8 * 1024;
    private static final int LARGE_BYTES = 64 * 1024;

    private byte[] bytes = new byte[SMALL_BYTES];

    byte[] bytes() {
        return bytes;
    }

    /** Adapts the size after so many bytes were read into it and written. */
    void moved(int count) {
        if (count == bytes.length && count < LARGE_BYTES) {
            bytes = new byte[LARGE_BYTES];
        } else if (count <= SMALL_BYTES && bytes.length == LARGE_BYTES) {
            bytes = new byte[SMALL_BYTES];
        }
    }
}
