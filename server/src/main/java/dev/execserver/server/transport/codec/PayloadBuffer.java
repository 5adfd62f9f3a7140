package dev.execserver.server.transport.codec;

import dev.execserver.protocol.rpc.MessageIntake;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.transport.CloseReason;
import java.io.IOException;
import java.util.Arrays;

/**
 * Collects the payload of one message. A message in one frame of moderate size is read straight into the resulting
 * array. A large or fragmented message goes piece by piece through {@link MessageIntake}, which joins the fragments and
 * takes the long strings out while their bytes are still in the processor's cache.
 *
 * <p>It never trusts a declared length: a peer has to send a sixteenth of the bytes that it makes us allocate. Not
 * thread safe.
 */
final class PayloadBuffer {
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int SMALL_PIECE_BYTES = 4 * 1024;
    private static final int GROWTH = 16;

    /** Up to this size, a message in one frame is read into one array. */
    private static final int ALONE_BYTES = 256 * 1024;

    private final MessageIntake intake = new MessageIntake(this::hold);
    private byte[] alone;
    private byte[] piece = {};
    private int total;
    private final MemoryBudget memory;
    private long reserved;
    private long held;

    PayloadBuffer(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Checks bytes as soon as they have arrived and are unmasked. */
    @FunctionalInterface
    interface Check {
        void accept(byte[] data, int offset, int length) throws WebSocketException;
    }

    int total() {
        return total;
    }

    /** Reads the whole payload of a frame. */
    void read(FrameReader frames, FrameHeader header, Check check) throws IOException {
        int length = (int) header.length();
        if (total == 0 && header.fin() && length <= ALONE_BYTES) {
            alone = readAlone(frames, header, check);
        } else {
            readPieces(frames, header, check);
        }
        total += length;
    }

    /** Returns the message and resets the buffer. */
    ReceivedMessage take() {
        ReceivedMessage message = alone == null ? intake.take() : ReceivedMessage.of(alone);
        clear();
        return message;
    }

    /** Discards the bytes that came so far. */
    void clear() {
        intake.clear();
        alone = null;
        piece = new byte[0];
        total = 0;
        memory.release(reserved);
        reserved = 0;
        held = 0;
    }

    private byte[] readAlone(FrameReader frames, FrameHeader header, Check check) throws IOException {
        int length = (int) header.length();
        byte[] data = new byte[Math.min(length, PIECE_BYTES)];
        int used = 0;
        while (used < length) {
            if (used == data.length) {
                int size = (int) Math.min(length, (long) used * GROWTH);
                reserve(size - used);
                data = Arrays.copyOf(data, size);
            }
            used += readSome(frames, header, check, data, used, used);
        }
        return data;
    }

    private void readPieces(FrameReader frames, FrameHeader header, Check check) throws IOException {
        int length = (int) header.length();
        for (int used = 0; used < length; ) {
            widenPiece(total + used);
            int count = readSome(frames, header, check, piece, 0, used);
            used += count;
            intake.add(piece, 0, count);
        }
    }

    /** Makes the piece larger once more data has come. Small messages that never end must not cost much memory. */
    private void widenPiece(int received) throws WebSocketException {
        int wanted = received < PIECE_BYTES ? SMALL_PIECE_BYTES : PIECE_BYTES;
        if (piece.length < wanted) {
            count(held, wanted);
            piece = new byte[wanted];
        }
    }

    /**
     * Counts the bytes of the intake together with the piece that is read into. The first piece of a message is free.
     */
    private void hold(long bytes) throws WebSocketException {
        held = bytes;
        count(held, piece.length);
    }

    private void count(long gathered, int room) throws WebSocketException {
        long wanted = Math.max(0, gathered + room - PIECE_BYTES);
        if (wanted > reserved) {
            reserve(wanted - reserved);
        } else {
            memory.release(reserved - wanted);
            reserved = wanted;
        }
    }

    private static int readSome(FrameReader frames, FrameHeader header, Check check, byte[] into, int offset, int phase)
            throws IOException {
        // use pieces that stay in the processor's cache while they are read, unmasked and checked
        int count = frames.payload(into, offset, Math.min(into.length - offset, PIECE_BYTES));
        Masking.apply(into, offset, count, header.mask(), phase);
        check.accept(into, offset, count);
        return count;
    }

    /** Takes bytes from the share. The first piece of a message is free, so that small messages always get through. */
    private void reserve(long bytes) throws WebSocketException {
        if (reserved + bytes > memory.maxBytes()) {
            throw WebSocketException.tooBig("message is above the memory of the server for requests, "
                    + memory.maxBytes() + " bytes; see " + ServerMemory.OPTION);
        }
        if (!memory.reserveMore(reserved, bytes)) {
            throw new WebSocketException(CloseReason.TRY_AGAIN_LATER.because(
                    "server holds too many unfinished messages; see " + ServerMemory.OPTION));
        }
        reserved += bytes;
    }
}
