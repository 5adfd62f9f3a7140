package dev.execserver.server.proxy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Stream that reads one byte at a time, so that it takes no byte that belongs to a later reader. */
final class SingleBytes extends FilterInputStream {

    SingleBytes(InputStream in) {
        super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return super.read(target, offset, Math.min(length, 1));
    }
}
