package dev.execserver.server.transport.sandboxd;

import java.io.ByteArrayOutputStream;

/** Writes the fields of a protobuf message: numbers, bytes and messages. A field with its default value is left out. One thread. */
final class ProtoWriter {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    /** Low bits of a tag, which tell the form of its value. */
    static final int FORM_BITS = 3;

    private static final int DIGIT_BITS = 7;
    private static final int MORE = 1 << DIGIT_BITS;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Writes an {@code int32}; a negative one takes ten bytes. */
    ProtoWriter number(int field, int value) {
        if (value != 0) {
            varint((long) field << FORM_BITS | VARINT);
            varint(value);
        }
        return this;
    }

    ProtoWriter bytes(int field, byte[] value) {
        return value.length == 0 ? this : member(field, value);
    }

    /** Writes bytes or a message that is present even if it is empty: a member of a {@code oneof}. */
    ProtoWriter member(int field, byte[] value) {
        varint((long) field << FORM_BITS | BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            out.write((int) (rest & MORE - 1 | MORE));
            rest >>>= DIGIT_BITS;
        }
        out.write((int) rest);
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }
}
