package dev.execserver.server.transport.grpc;

import dev.execserver.server.memory.AnswerMemory;
import io.helidon.common.buffers.BufferData;
import java.util.Arrays;
import java.util.Optional;

/**
 * Takes the one message of a call out of its frames. The buffer grows with what has come, not with the length that the client
 * announces. One thread.
 */
final class MessageReader {

    /** Largest message of a client; the limit that gRPC programs have by default. */
    static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    /** One byte tells if it is compressed, four are its length. */
    private static final int PREFIX_BYTES = 5;

    private static final int FIRST_BYTES = 1024;

    private final AnswerMemory memory;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int filled;

    /** @param memory pays for the message */
    MessageReader(AnswerMemory memory) {
        this.memory = memory;
    }

    /**
     * Takes a piece.
     *
     * @return the message, when it is whole
     * @throws GrpcException for a message that is too long, compressed, or followed by something
     */
    Optional<byte[]> take(BufferData data) {
        int count = data.available();
        if (filled + count > MAX_MESSAGE_BYTES + PREFIX_BYTES) {
            throw tooLong();
        }
        if (filled + count > bytes.length) {
            int size = Math.min(Math.max(filled + count, 2 * bytes.length), MAX_MESSAGE_BYTES + PREFIX_BYTES);
            memory.reserve(size - bytes.length);
            bytes = Arrays.copyOf(bytes, size);
        }
        int read = count == 0 ? 0 : data.read(bytes, filled, count);
        filled += read;
        if (filled < PREFIX_BYTES) {
            return Optional.empty();
        }
        if (bytes[0] != 0) {
            throw new GrpcException(
                    GrpcCode.UNIMPLEMENTED, "compressed messages are not understood; send them as they are");
        }
        long length = length();
        if (length > MAX_MESSAGE_BYTES) {
            throw tooLong();
        }
        long end = PREFIX_BYTES + length;
        if (filled > end) {
            throw new GrpcException(GrpcCode.INVALID_ARGUMENT, "this method takes one message; more has come");
        }
        return filled == end ? Optional.of(Arrays.copyOfRange(bytes, PREFIX_BYTES, filled)) : Optional.empty();
    }

    private long length() {
        long length = 0;
        for (int i = 1; i < PREFIX_BYTES; i++) {
            length = length << Byte.SIZE | Byte.toUnsignedLong(bytes[i]);
        }
        return length;
    }

    private static GrpcException tooLong() {
        return new GrpcException(
                GrpcCode.RESOURCE_EXHAUSTED, "a message may have " + MAX_MESSAGE_BYTES + " bytes; this one is longer");
    }
}
