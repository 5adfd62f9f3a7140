package dev.execserver.server.transport.codec;

import dev.execserver.server.transport.CloseReason;
import java.nio.charset.StandardCharsets;

/** Writes frame headers of a server, which never masks (RFC 6455 sections 5.1 and 5.2). Stateless. */
public final class FrameWriter {
    /** The longest header without a mask. */
    public static final int MAX_HEADER_BYTES = 10;

    private FrameWriter() {}

    /** Returns the number of bytes that {@link #prepend} needs. */
    public static int headerBytes(int length) {
        return length < 126 ? 2 : length <= 0xFFFF ? 4 : MAX_HEADER_BYTES;
    }

    /**
     * Puts the header directly before the payload, so that both leave in one write.
     *
     * @param payload index of the payload in the array; the {@link #MAX_HEADER_BYTES} before it must be free
     * @return index at which the frame begins
     */
    public static int prepend(byte[] array, int payload, int length, int opcode, boolean fin) {
        int start = payload - headerBytes(length);
        if (length < 126) {
            array[start + 1] = (byte) length;
        } else if (length <= 0xFFFF) {
            array[start + 1] = 126;
            array[start + 2] = (byte) (length >> 8);
            array[start + 3] = (byte) length;
        } else {
            array[start + 1] = 127;
            for (int i = 0; i < 8; i++) {
                array[start + 2 + i] = (byte) ((long) length >>> 56 - 8 * i);
            }
        }
        array[start] = (byte) (fin ? 0x80 | opcode : opcode);
        return start;
    }

    /** Makes a whole control frame. */
    public static byte[] control(int opcode, byte[] payload) {
        byte[] frame = new byte[2 + payload.length];
        System.arraycopy(payload, 0, frame, 2, payload.length);
        prepend(frame, 2, payload.length, opcode, true);
        return frame;
    }

    /** Makes a whole close frame (RFC 6455 section 5.5.1). */
    public static byte[] close(CloseReason reason) {
        byte[] text = reason.reason().getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[2 + text.length];
        payload[0] = (byte) (reason.code() >> 8);
        payload[1] = (byte) reason.code();
        System.arraycopy(text, 0, payload, 2, text.length);
        return control(Opcode.CLOSE, payload);
    }
}
