package dev.execserver.server.app;

import dev.execserver.server.memory.AnswerMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** One output stream of a command: its cap, and the bytes that are kept for the answer. One thread. */
final class CommandStream {

    /** Longest UTF-8 sequence in bytes. */
    private static final int MAX_SEQUENCE = 4;

    private final AnswerMemory memory;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long left;
    private boolean capReached;

    /** @param memory pays for the kept bytes */
    CommandStream(OptionalLong cap, AnswerMemory memory) {
        this.left = cap.orElse(Long.MAX_VALUE);
        this.memory = memory;
    }

    /** Returns true if output was dropped. */
    boolean capReached() {
        return capReached;
    }

    /** Takes a piece of output. Returns the number of its bytes that are below the cap. */
    int admit(int length) {
        int admitted = (int) Math.min(left, length);
        left -= admitted;
        capReached |= admitted < length;
        return admitted;
    }

    /** Keeps a piece of output for the answer, as far as it is below the cap. */
    void keep(byte[] bytes, int offset, int length) {
        int admitted = admit(length);
        memory.reserve(admitted);
        kept.write(bytes, offset, admitted);
    }

    /** Returns the kept output. Bytes that are not UTF-8 become U+FFFD; the cap splits no character. */
    String text() {
        byte[] bytes = kept.toByteArray();
        return new String(bytes, 0, capReached ? wholeCharacters(bytes) : bytes.length, StandardCharsets.UTF_8);
    }

    /** Returns the length without a UTF-8 sequence that the cap has cut at the end. */
    private static int wholeCharacters(byte[] bytes) {
        for (int back = 1; back <= Math.min(MAX_SEQUENCE - 1, bytes.length); back++) {
            int lead = bytes[bytes.length - back] & 0xFF;
            if ((lead & 0xC0) != 0x80) {
                return sequenceLength(lead) > back ? bytes.length - back : bytes.length;
            }
        }
        return bytes.length;
    }

    private static int sequenceLength(int lead) {
        if (lead >= 0xF0) {
            return lead < 0xF8 ? 4 : 1;
        }
        if (lead >= 0xE0) {
            return 3;
        }
        return lead >= 0xC0 ? 2 : 1;
    }
}
