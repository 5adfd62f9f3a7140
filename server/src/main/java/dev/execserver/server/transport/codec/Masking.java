package dev.execserver.server.transport.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Masks and unmasks payload: XOR with the four mask bytes of a client's frame (RFC 6455 section 5.3), eight bytes at a
 * time.
 */
public final class Masking {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Masking() {}

    /**
     * Masks or unmasks in place.
     *
     * @param key mask with its first byte lowest
     * @param phase number of bytes of the same payload that came before
     */
    public static void apply(byte[] data, int offset, int length, int key, long phase) {
        int turned = Integer.rotateRight(key, (int) (phase & 3) * 8);
        long wide = turned & 0xFFFFFFFFL | (long) turned << 32;
        int end = offset + length;
        int at = offset;
        for (; at + 8 <= end; at += 8) {
            LONG.set(data, at, (long) LONG.get(data, at) ^ wide);
        }
        for (int i = 0; at < end; at++, i++) {
            data[at] ^= (byte) (turned >>> (i & 3) * 8);
        }
    }
}
