package dev.execserver.cli.client.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Content of a file on the server that fails if it becomes much longer than the server has announced. Otherwise a
 * server that sends without end would fill the disk. One thread.
 */
final class GrowthLimit extends FilterInputStream {

    /** Growth during the copy that is allowed for every file. */
    static final long MIN_GROWTH_BYTES = 1 << 20;

    /** A file may also grow by this fraction of its size, because copying a long file takes longer. */
    static final int GROWTH_PART = 8;

    private final long announced;
    private final long most;
    private long count;

    GrowthLimit(InputStream in, long announced) {
        super(in);
        this.announced = announced;
        this.most = most(announced);
    }

    /** Returns the most bytes that are accepted of a file that was announced with this size. */
    static long most(long announced) {
        long growth = Math.max(MIN_GROWTH_BYTES, announced / GROWTH_PART);
        return announced > Long.MAX_VALUE - growth ? Long.MAX_VALUE : announced + growth;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int got = in.read(to, offset, length);
        if (got > 0) {
            count += got;
            if (count > most) {
                throw new IOException("it grows while it is copied: it had %d bytes, and more than %d came"
                        .formatted(announced, most));
            }
        }
        return got;
    }
}
