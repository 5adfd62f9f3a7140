package dev.execserver.server.transport;

import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Cuts a stream into lines. It blocks in the stream, so use it on a platform thread only. Not thread safe. */
final class LineReader {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final MemoryBudget memory;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    /**
     * Positions in {@link #chunk}: start of the line or of its new part, first byte that was not examined, end of the
     * bytes.
     */
    private int start;

    private int position;
    private int limit;
    /** Parts of the line from earlier chunks. */
    private final List<byte[]> parts = new ArrayList<>();

    private int partsLength;
    private boolean blank = true;
    private long reserved;

    /**
     * @param memory share for the parts of a long line. The first part needs none, so that small lines always get
     *     through
     */
    LineReader(InputStream in, int maxLineBytes, MemoryBudget memory) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
        this.memory = memory;
    }

    /**
     * Returns the next line that is not blank, without its end; empty at the end of the stream.
     *
     * @throws MessageTooLargeException for a line that is too long; it has been skipped, and the next call reads on
     */
    Optional<byte[]> next() throws IOException {
        while (true) {
            if (position == limit && !fill()) {
                return blank ? Optional.empty() : Optional.of(take(limit));
            }
            while (blank && position < limit && isBlank(chunk[position])) {
                position++;
            }
            blank &= position == limit || chunk[position] == '\n';
            while (position < limit && chunk[position] != '\n') {
                position++;
            }
            if (position < limit) {
                int end = position++;
                if (!blank) {
                    return Optional.of(take(end));
                }
                start = position;
            }
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    /** Reads more of the line. Returns false at the end of the stream. */
    private boolean fill() throws IOException {
        if (start == limit) {
            start = position = limit = 0;
        } else if (limit == chunk.length) {
            keep();
        }
        int count = in.read(chunk, limit, chunk.length - limit);
        limit += Math.max(0, count);
        return count > 0;
    }

    /** Moves the bytes of the line out of the chunk to make room in it. */
    private void keep() throws IOException {
        int count = limit - start;
        if ((long) partsLength + count > maxLineBytes) {
            skip("line is above the limit of " + maxLineBytes + " bytes");
        }
        if (partsLength > 0) {
            if (!memory.reserve(count)) {
                skip("line needs more than the server has left for requests; see " + ServerMemory.OPTION);
            }
            reserved += count;
        }
        parts.add(Arrays.copyOfRange(chunk, start, limit));
        partsLength += count;
        start = position = limit = 0;
    }

    /** Skips the rest of the line. */
    private void skip(String why) throws IOException {
        forget();
        do {
            start = position = limit = 0;
            limit = Math.max(0, in.read(chunk, 0, chunk.length));
            while (position < limit && chunk[position] != '\n') {
                position++;
            }
        } while (limit > 0 && position == limit);
        position = Math.min(position + 1, limit);
        start = position;
        throw new MessageTooLargeException(why);
    }

    private byte[] take(int end) throws MessageTooLargeException {
        int count = end - start;
        if ((long) partsLength + count > maxLineBytes) {
            forget();
            start = position;
            throw new MessageTooLargeException("line is above the limit of " + maxLineBytes + " bytes");
        }
        byte[] whole = new byte[partsLength + count];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        System.arraycopy(chunk, start, whole, at, count);
        forget();
        start = position;
        return whole[whole.length - 1] == '\r' ? Arrays.copyOf(whole, whole.length - 1) : whole;
    }

    private void forget() {
        parts.clear();
        partsLength = 0;
        blank = true;
        memory.release(reserved);
        reserved = 0;
    }
}
