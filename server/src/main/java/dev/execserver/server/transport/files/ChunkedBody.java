package dev.execserver.server.transport.files;

import io.helidon.common.buffers.DataReader;
import java.io.InputStream;

/**
 * Body in chunks (RFC 9112 section 7.1). It is read in pieces, however large the chunks are. Extensions and trailers
 * are skipped. A plain end without extension and trailers stays unread, so that Helidon can find it. One thread.
 */
final class ChunkedBody extends InputStream {

    /** Longest line before a chunk; also the limit of all trailers together. */
    static final int MAX_LINE_BYTES = 4096;

    /** A size with more digits is larger than any file. */
    private static final int MAX_DIGITS = 15;

    private static final byte[] END = {'0', '\r', '\n', '\r', '\n'};

    private final DataReader reader;
    /** Bytes left in the current chunk; negative before the first one. */
    private long left = -1;

    private boolean ended;
    private boolean endLeft;

    ChunkedBody(DataReader reader) {
        this.reader = reader;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /** @throws FileRefusal 400 when the data is no body in chunks */
    @Override
    public int read(byte[] into, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (left <= 0 && !ended) {
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        reader.ensureAvailable();
        int count = (int) Math.min(Math.min(left, length), reader.available());
        int unused = reader.readBuffer(count).read(into, offset, count);
        left -= count;
        return count;
    }

    /** Returns true if the stream has ended before a plain end that has still to be read. */
    boolean endLeft() {
        return endLeft;
    }

    private boolean plainEndIsNext() {
        reader.ensureAvailable();
        if (reader.lookup() != END[0]) {
            return false;
        }
        while (reader.available() < END.length) {
            reader.pullData(); // a longer line that begins with a zero has at least these bytes after it
        }
        return reader.startsWith(END);
    }

    private void nextChunk() {
        if (left == 0 && !line(0).isEmpty()) {
            throw malformed("a chunk does not end where it should");
        }
        if (plainEndIsNext()) {
            endLeft = true;
            ended = true;
            return;
        }
        left = size(line(MAX_LINE_BYTES));
        if (left == 0) {
            ended = true;
            int room = MAX_LINE_BYTES;
            for (String trailer = line(room); !trailer.isEmpty(); trailer = line(room)) {
                room -= trailer.length();
            }
        }
    }

    private static long size(String line) {
        int semicolon = line.indexOf(';');
        // Blanks before an extension are wrong but must be accepted (RFC 9112 section 7.1.1).
        String digits = (semicolon < 0 ? line : line.substring(0, semicolon)).stripTrailing();
        if (!digits.matches("[0-9a-fA-F]{1,100}")) {
            throw malformed("a chunk does not begin with its size");
        }
        String significant = digits.replaceFirst("^0+(?=.)", "");
        if (significant.length() > MAX_DIGITS) {
            throw malformed("a chunk is larger than any file");
        }
        return Long.parseLong(significant, 16);
    }

    private String line(int maxBytes) {
        StringBuilder line = new StringBuilder();
        for (int octet = reader.read() & 0xFF; octet != '\r'; octet = reader.read() & 0xFF) {
            if (line.length() >= maxBytes || octet == '\n') {
                throw malformed("a line of it is too long or does not end in CR and LF");
            }
            line.append((char) octet);
        }
        if (reader.read() != '\n') {
            throw malformed("a line of it does not end in CR and LF");
        }
        return line.toString();
    }

    private static FileRefusal malformed(String why) {
        return FileRefusal.badRequest("the body in chunks cannot be read: " + why);
    }
}
