package dev.execserver.protocol.rpc;

/**
 * The bytes that a large answer carries, from the making of the message to the sending; they need not lie in the heap. One
 * thread at a time. Belongs to the {@link MessageBuffer} that it was given to, which closes it.
 */
public interface LargeContent extends AutoCloseable {

    /** Bytes of content. */
    int length();

    /** Copies a range; it must lie within the content. */
    void get(int position, byte[] to, int offset, int count);

    /** Gives the memory back. May be called again. */
    @Override
    void close();
}
