package dev.execserver.client.command;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Output of one stream, kept up to a bound. One thread. */
final class Captured {

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final int bound;
    private boolean truncated;

    Captured(int bound) {
        this.bound = bound;
    }

    void add(byte[] bytes) {
        int room = Math.min(bytes.length, bound - kept.size());
        kept.write(bytes, 0, room);
        truncated |= room < bytes.length;
    }

    /** Notes that output is missing. */
    void lost() {
        truncated = true;
    }

    boolean truncated() {
        return truncated;
    }

    /** Returns the text without a character that the bound has cut. */
    String text() {
        byte[] bytes = kept.toByteArray();
        int end = bytes.length;
        if (truncated) {
            while (end > 0 && bytes.length - end < 3 && (bytes[end - 1] & 0xC0) == 0x80) {
                end--;
            }
            boolean cut = end > 0 && bytes.length - end + 1 < sequenceLength(bytes[end - 1] & 0xFF);
            end = cut ? end - 1 : bytes.length;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static int sequenceLength(int lead) {
        if (lead < 0xC0) {
            return 1;
        }
        return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }
}
