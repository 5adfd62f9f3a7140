package dev.execserver.server.transport.codec;

import dev.execserver.protocol.rpc.MessageIntake;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.transport.CloseReason;
import java.io.IOException;
import java.util.Arrays;

/**
 * Collects the payload of one message. A message in one frame of moderate size is read straight into the array that is
 * handed out; large and fragmented ones go piece by piece through {@link MessageIntake}, which joins the fragments and
 * takes the long strings out while their bytes are still in the processor's cache.
 *
 * <p>Never trusts a declared length: a peer has to send a sixteenth of what it makes us allocate. Not thread safe.
 */
final class PayloadBuffer {
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int SMALL_PIECE_BYTES = 4 * 1024;
    private static final int GROWTH = 16;

    /** A message in one frame is one array up to this size. */
    private static final int ALONE_BYTES = 256 * 1024;

    private final MessageIntake intake = new MessageIntake(this::hold);
    private byte[] alone;
    private byte[] piece = {};
    private int total;
    private final MemoryShare memory;
    private long reserved;
    private long held;

    PayloadBuffer(MemoryShare memory) {
        this.memory = memory;
    }

    /** Sees bytes as soon as they are there and unmasked. */
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

    /** Hands the message out and starts anew. */
    ReceivedMessage take() {
        ReceivedMessage message = alone == null ? intake.take() : ReceivedMessage.of(alone);
        clear();
        return message;
    }

    /** Gives up what came so far. */
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

    /** Small messages that never end must cost little. */
    private void widenPiece(int received) throws WebSocketException {
        int wanted = received < PIECE_BYTES ? SMALL_PIECE_BYTES : PIECE_BYTES;
        if (piece.length < wanted) {
            count(held, wanted);
            piece = new byte[wanted];
        }
    }

    /** What the intake holds is counted together with the piece that is read into; the first piece of a message is free. */
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
        // in pieces that stay in the processor's cache between reading, unmasking and checking
        int count = frames.payload(into, offset, Math.min(into.length - offset, PIECE_BYTES));
        Masking.apply(into, offset, count, header.mask(), phase);
        check.accept(into, offset, count);
        return count;
    }

    /** The first piece of a message is free: small messages must always get through. */
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
