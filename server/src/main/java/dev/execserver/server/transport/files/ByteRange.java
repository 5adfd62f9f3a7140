package dev.execserver.server.transport.files;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file.
 *
 * @param start first byte
 * @param length bytes, 0 only for a range that no byte of the file lies in
 */
record ByteRange(long start, long length) {

    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*");

    /**
     * Reads a Range header (RFC 9110 section 14.2).
     *
     * @return empty for what is to be ignored: another unit, something malformed, and several ranges, which a server need
     *     not serve; the whole file is the answer then
     */
    static Optional<ByteRange> parse(String header, long size) {
        Matcher matcher = SINGLE.matcher(header.strip());
        if (!matcher.matches()
                || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (matcher.group(1).isEmpty()) {
            long last = Math.min(size, Long.parseLong(matcher.group(2)));
            return Optional.of(new ByteRange(size - last, last));
        }
        long start = Long.parseLong(matcher.group(1));
        long end = matcher.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(matcher.group(2));
        if (end < start) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(start, start >= size ? 0 : Math.min(end, size - 1) - start + 1));
    }

    /** {@code bytes 0-9/100}. */
    String contentRange(long size) {
        return "bytes " + start + "-" + (start + length - 1) + "/" + size;
    }
}
