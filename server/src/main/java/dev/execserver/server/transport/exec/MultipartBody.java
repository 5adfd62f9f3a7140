package dev.execserver.server.transport.exec;

import dev.execserver.server.transport.files.FileRefusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Body of type {@code multipart/form-data} (RFC 7578), read part by part. As an {@link InputStream} it is the content of
 * the current part, and holds back only what can be the beginning of a boundary. One thread at a time.
 */
final class MultipartBody extends InputStream {

    /** Limit of the head of one part. */
    static final int MAX_HEAD_BYTES = 8 * 1024;

    /** Longest boundary, see RFC 2046 section 5.1.1. */
    private static final int MAX_BOUNDARY = 70;

    private static final int BUFFER_BYTES = 32 * 1024;

    private static final Pattern BOUNDARY = Pattern.compile("(?i);\\s*boundary=(?:\"([^\"]+)\"|([^\\s;\"]+))");
    private static final Pattern NAME = Pattern.compile(
            "(?im)^content-disposition:\\s*form-data\\s*;(?:.*;)?\\s*name=(?:\"([^\"]*)\"|([^\\s;\"]+))");

    private final InputStream in;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private boolean ended;

    private MultipartBody(InputStream in, String boundary) {
        this.in = in;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        // The first boundary has no line before it.
        buffer[to++] = '\r';
        buffer[to++] = '\n';
    }

    /** @throws FileRefusal 400 for a type without a usable boundary */
    static MultipartBody of(String contentType, InputStream in) {
        Matcher found = BOUNDARY.matcher(contentType);
        if (!found.find()) {
            throw FileRefusal.badRequest("the Content-Type names no boundary");
        }
        String boundary = found.group(1) == null ? found.group(2) : found.group(1);
        if (boundary.length() > MAX_BOUNDARY) {
            throw FileRefusal.badRequest("the boundary has more than " + MAX_BOUNDARY + " characters");
        }
        return new MultipartBody(in, boundary);
    }

    /**
     * Goes to the next part, over the rest of the current one. Returns its name, or empty behind the last part.
     *
     * @throws FileRefusal 400 for a body that cannot be understood
     */
    Optional<String> next() throws IOException {
        byte[] rest = new byte[BUFFER_BYTES];
        while (read(rest, 0, rest.length) >= 0) {
            // skipped
        }
        from += delimiter.length;
        String line = line(MAX_HEAD_BYTES);
        if (line.startsWith("--")) {
            ended = true;
            return Optional.empty();
        }
        if (!line.isBlank()) {
            throw malformed("a boundary is not followed by the end of its line");
        }
        StringBuilder head = new StringBuilder();
        for (line = line(MAX_HEAD_BYTES); !line.isEmpty(); line = line(MAX_HEAD_BYTES - head.length())) {
            head.append(line).append('\n');
        }
        Matcher name = NAME.matcher(head);
        if (!name.find()) {
            throw malformed("a part has no name");
        }
        return Optional.of(name.group(1) == null ? name.group(2) : name.group(1));
    }

    /** Goes over the rest of the last part. What follows it is no part. */
    void requireEnd() throws IOException {
        if (!ended && next().isPresent()) {
            throw malformed("it has more parts than it should");
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (true) {
            int plain = plainBytes();
            if (plain > 0 || length == 0) {
                int count = Math.min(plain, length);
                System.arraycopy(buffer, from, into, offset, count);
                from += count;
                return count;
            }
            if (to - from >= delimiter.length) {
                return -1; // the delimiter itself
            }
            fill();
        }
    }

    /** Returns the number of bytes in the buffer before anything that is a delimiter or can become one. */
    private int plainBytes() {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\r' && mayBeDelimiter(i)) {
                return i - from;
            }
        }
        return to - from;
    }

    private boolean mayBeDelimiter(int start) {
        int length = Math.min(delimiter.length, to - start);
        for (int i = 0; i < length; i++) {
            if (buffer[start + i] != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        int count = in.read(buffer, to, buffer.length - to);
        if (count < 0) {
            throw malformed("it ends within a part");
        }
        to += count;
    }

    private String line(int maxBytes) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte octet = octet(); octet != '\n'; octet = octet()) {
            if (line.size() >= maxBytes) {
                throw malformed("the head of a part has more than " + MAX_HEAD_BYTES + " bytes");
            }
            line.write(octet);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private byte octet() throws IOException {
        while (from == to) {
            fill();
        }
        return buffer[from++];
    }

    private static FileRefusal malformed(String why) {
        return FileRefusal.badRequest("the multipart body cannot be read: " + why);
    }
}
