package dev.execserver.server.transport;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Cuts a stream into lines. Blocks in the stream: only for a platform thread. Not thread safe. */
final class LineReader {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int position;
    private int limit;
    private byte[] line = {};
    private int length;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line that is not blank, without its end; empty at the end of the stream. */
    Optional<byte[]> next() throws IOException {
        while (true) {
            if (position == limit && !fill()) {
                return length > 0 && !blank() ? Optional.of(take()) : Optional.empty();
            }
            int end = position;
            while (end < limit && chunk[end] != '\n') {
                end++;
            }
            append(end);
            if (end < limit) {
                position = end + 1;
                if (!blank()) {
                    return Optional.of(take());
                }
                length = 0;
            }
        }
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(chunk, 0, chunk.length));
        return limit > 0;
    }

    private void append(int end) throws MessageTooLargeException {
        int count = end - position;
        if ((long) length + count > maxLineBytes) {
            throw new MessageTooLargeException("line is above the limit of " + maxLineBytes + " bytes");
        }
        if (length + count > line.length) {
            line = Arrays.copyOf(line, (int) Math.min(maxLineBytes, Math.max(line.length * 2L, length + count)));
        }
        System.arraycopy(chunk, position, line, length, count);
        length += count;
        position = end;
    }

    private boolean blank() {
        for (int i = 0; i < length; i++) {
            if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private byte[] take() {
        int end = line[length - 1] == '\r' ? length - 1 : length;
        byte[] whole = Arrays.copyOf(line, end);
        length = 0;
        if (line.length > CHUNK_BYTES) {
            line = new byte[0]; // one huge line must not stay for ever
        }
        return whole;
    }
}
