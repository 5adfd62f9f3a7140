package dev.execserver.server.transport.codec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Client frames as byte arrays, and sources that deliver them in pieces. */
final class Bytes {
    private Bytes() {}

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] frame(boolean fin, int opcode, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(fin ? 0x80 | opcode : opcode);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else if (payload.length <= 0xFFFF) {
            out.write(0x80 | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(0x80 | 127);
            for (int i = 56; i >= 0; i -= 8) {
                out.write((int) ((long) payload.length >>> i));
            }
        }
        byte[] mask = {1, (byte) 0x82, 3, (byte) 0xF4};
        out.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ mask[i & 3]);
        }
        return out.toByteArray();
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static ByteSource whole(byte[] bytes) {
        return pieces(bytes, Integer.MAX_VALUE, new Random(0));
    }

    /** Delivers at most {@code most} bytes at a time, randomly fewer. */
    static ByteSource pieces(byte[] bytes, int most, Random random) {
        int[] at = {0};
        return (into, offset, length) -> {
            if (at[0] == bytes.length) {
                return -1;
            }
            int possible = Math.min(Math.min(length, most), bytes.length - at[0]);
            int count = most == Integer.MAX_VALUE ? possible : 1 + random.nextInt(possible);
            System.arraycopy(bytes, at[0], into, offset, count);
            at[0] += count;
            return count;
        };
    }
}
