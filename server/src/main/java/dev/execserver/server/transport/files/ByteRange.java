package dev.execserver.server.transport.files;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Part of a file.
 *
 * @param start first byte
 * @param length bytes; 0 only for a range that contains no byte of the file
 */
record ByteRange(long start, long length) {

    private static final int MAX_DIGITS = 18;

    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*([0-9]*)-([0-9]*)\\s*", Pattern.CASE_INSENSITIVE);

    /**
     * Reads a Range header (RFC 9110 section 14.2).
     *
     * @return empty for a header that is ignored, so that the whole file is the answer: another unit, a malformed
     *     header, or several ranges, which a server need not serve
     */
    static Optional<ByteRange> parse(String header, long size) {
        Matcher matcher = SINGLE.matcher(header.strip());
        if (!matcher.matches()
                || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (matcher.group(1).isEmpty()) {
            long last = Math.min(size, number(matcher.group(2)));
            return Optional.of(new ByteRange(size - last, last));
        }
        long start = number(matcher.group(1));
        long end = matcher.group(2).isEmpty() ? Long.MAX_VALUE : number(matcher.group(2));
        if (end < start) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(start, start >= size ? 0 : Math.min(end, size - 1) - start + 1));
    }

    /** Reads a number. More digits than any file size has give the largest number. */
    private static long number(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(significant);
    }

    /** Returns the Content-Range header: {@code bytes 0-9/100}. */
    String contentRange(long size) {
        return "bytes " + start + "-" + (start + length - 1) + "/" + size;
    }
}
