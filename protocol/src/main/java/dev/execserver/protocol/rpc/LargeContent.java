package dev.execserver.protocol.rpc;

/**
 * Bytes of a large answer, from its creation until it was sent. They need not be in the heap. One thread at a time. The
 * {@link MessageBuffer} that gets the content owns and closes it.
 */
public interface LargeContent extends AutoCloseable {

    /** Returns the size in bytes. */
    int length();

    /** Copies a range, which must be within the content. */
    void get(int position, byte[] to, int offset, int count);

    /** Frees the memory. May be called again. */
    @Override
    void close();
}
