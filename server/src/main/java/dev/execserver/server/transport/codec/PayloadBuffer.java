package dev.execserver.server.transport.codec;

import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.transport.CloseReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the payload of one message. A message in one frame is read straight into the array that is handed out; the
 * frames of a fragmented message are joined once, at the end.
 *
 * <p>Never trusts a declared length: a peer has to send a sixteenth of what it makes us allocate. Small fragments share a
 * block, so that a message made of single bytes costs what one large frame costs. Not thread safe.
 */
final class PayloadBuffer {
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final int GROWTH = 16;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] block = {};
    private int blockUsed;
    private int total;
    private final MemoryShare memory;
    private long reserved;

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
        if (length >= BLOCK_BYTES || total == 0 && header.fin()) {
            sealBlock();
            full.add(readAlone(frames, header, check));
        } else {
            readIntoBlock(frames, header, check);
        }
        total += length;
    }

    /** Hands the message out and starts anew. */
    byte[] take() {
        byte[] message;
        if (full.size() == 1 && blockUsed == 0) {
            message = full.getFirst();
        } else {
            message = new byte[total];
            int at = 0;
            for (byte[] part : full) {
                System.arraycopy(part, 0, message, at, part.length);
                at += part.length;
            }
            System.arraycopy(block, 0, message, at, blockUsed);
        }
        clear();
        return message;
    }

    /** Gives up what came so far. */
    void clear() {
        full.clear();
        block = new byte[0];
        blockUsed = 0;
        total = 0;
        memory.release(reserved);
        reserved = 0;
    }

    private byte[] readAlone(FrameReader frames, FrameHeader header, Check check) throws IOException {
        int length = (int) header.length();
        int first = Math.min(length, BLOCK_BYTES);
        if (!full.isEmpty()) {
            reserve(first);
        }
        byte[] data = new byte[first];
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

    private void readIntoBlock(FrameReader frames, FrameHeader header, Check check) throws IOException {
        int length = (int) header.length();
        int used = 0;
        while (used < length) {
            if (blockUsed == BLOCK_BYTES) {
                sealBlock();
            }
            if (blockUsed == block.length) {
                block = Arrays.copyOf(block, Math.clamp(block.length * 2L, 1024, BLOCK_BYTES));
            }
            int count = readSome(frames, header, check, block, blockUsed, used);
            used += count;
            blockUsed += count;
        }
    }

    private static int readSome(FrameReader frames, FrameHeader header, Check check, byte[] into, int offset, int phase)
            throws IOException {
        // in pieces that stay in the processor's cache between reading, unmasking and checking
        int count = frames.payload(into, offset, Math.min(into.length - offset, BLOCK_BYTES));
        Masking.apply(into, offset, count, header.mask(), phase);
        check.accept(into, offset, count);
        return count;
    }

    /** The first block of a message is free: small messages must always get through. */
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

    private void sealBlock() throws WebSocketException {
        if (blockUsed > 0) {
            reserve(blockUsed);
            full.add(blockUsed == block.length ? block : Arrays.copyOf(block, blockUsed));
            block = new byte[0];
            blockUsed = 0;
        }
    }
}
