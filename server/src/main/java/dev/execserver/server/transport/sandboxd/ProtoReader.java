package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of a protobuf message one after the other. Every method throws {@link GrpcException} with INVALID_ARGUMENT for bytes that
 * are no message. One thread.
 */
final class ProtoReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int DIGIT_BITS = 7;
    private static final int FORMS = (1 << ProtoWriter.FORM_BITS) - 1;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int form;

    ProtoReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtoReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Returns the number of the next field, or 0 at the end. Its value has to be read, or skipped. */
    int next() {
        if (at == end) {
            return 0;
        }
        long tag = varint();
        form = (int) (tag & FORMS);
        long field = tag >>> ProtoWriter.FORM_BITS;
        if (field < 1 || field > Integer.MAX_VALUE) {
            throw unreadable("a field has the number " + field);
        }
        return (int) field;
    }

    int int32() {
        require(VARINT);
        return (int) varint();
    }

    /** Reads a {@code uint32} that has to be a small number. */
    int uint16() {
        require(VARINT);
        long value = varint();
        if (value < 0 || value > 0xFFFF) {
            throw unreadable("a number of a terminal's size is above 65535");
        }
        return (int) value;
    }

    String text() {
        int length = length();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at - length, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw unreadable("a text is not UTF-8");
        }
    }

    byte[] bytes() {
        int length = length();
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    ProtoReader message() {
        int length = length();
        return new ProtoReader(bytes, at - length, at);
    }

    /** Skips the value of an unknown field. */
    void skip() {
        switch (form) {
            case VARINT -> varint();
            case FIXED64 -> forward(Long.BYTES);
            case FIXED32 -> forward(Integer.BYTES);
            default -> length();
        }
    }

    /** Passes over a value with its length, and returns the length. */
    private int length() {
        require(BYTES);
        long length = varint();
        forward(length);
        return (int) length;
    }

    private void forward(long count) {
        if (count < 0 || count > end - at) {
            throw unreadable("it ends too early");
        }
        at += (int) count;
    }

    private void require(int wanted) {
        if (form != wanted) {
            throw unreadable("a field has another type");
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
            if (at == end) {
                throw unreadable("it ends too early");
            }
            byte digit = bytes[at++];
            value |= (long) (digit & 0x7F) << shift;
            if (digit >= 0) {
                return value;
            }
        }
        throw unreadable("a number has more than 64 bits");
    }

    private static GrpcException unreadable(String why) {
        return new GrpcException(GrpcCode.INVALID_ARGUMENT, "the message cannot be read: " + why);
    }
}
