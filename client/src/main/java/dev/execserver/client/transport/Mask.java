package dev.execserver.client.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Masks payload: XOR with the four mask bytes of a client's frame (RFC 6455 section 5.3), eight bytes at a time. */
final class Mask {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Mask() {}

    /** Masks the payload of one frame in place. The first byte of {@code key} is its lowest. */
    static void apply(byte[] data, int offset, int length, int key) {
        long wide = key & 0xFFFFFFFFL | (long) key << 32;
        int end = offset + length;
        int at = offset;
        for (; at + 8 <= end; at += 8) {
            LONG.set(data, at, (long) LONG.get(data, at) ^ wide);
        }
        for (int i = 0; at < end; at++, i++) {
            data[at] ^= (byte) (key >>> (i & 3) * 8);
        }
    }
}
