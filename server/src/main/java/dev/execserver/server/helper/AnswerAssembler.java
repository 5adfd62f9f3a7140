package dev.execserver.server.helper;

import dev.execserver.helper.wire.Frames;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Assembles the answers of one helper from the bytes of its socket. The helper is not trusted: memory is limited to
 * twice the bytes that it has sent, and an answer to an unknown request is an error. Once a long answer has begun to
 * arrive, the memory for all of it is taken in one step. If there is none, the request fails and the answer is
 * discarded. One thread.
 */
final class AnswerAssembler {

    private static final int HEADER = Frames.LENGTH_BYTES + Frames.ANSWER_BYTES;
    private static final int FIRST_BYTES = 64 * 1024;

    /** Bytes of the message to the client around the answer. */
    static final int ENVELOPE_BYTES = 512;

    private final LongFunction<Optional<PendingAnswer>> requests;
    private final byte[] header = new byte[HEADER];
    private int headerBytes;
    private PendingAnswer current;
    private Frames.Kind kind;
    private byte[] value = {};
    private int length;
    private int filled;
    /** True while an answer is discarded. Its request has failed because there was no memory. */
    private boolean refused;

    /** @param requests finds the pending answer of a request and removes it */
    AnswerAssembler(LongFunction<Optional<PendingAnswer>> requests) {
        this.requests = requests;
    }

    /**
     * Processes the bytes of one read.
     *
     * @param descriptor an open file that came with the bytes. The kernel ends a read behind the bytes that a
     * descriptor was sent with, and those are the header of its answer
     * @throws IOException if the helper violates the protocol
     */
    void accept(MemorySegment bytes, Optional<Fd> descriptor) throws IOException {
        try {
            int at = 0;
            while (at < bytes.byteSize()) {
                at += headerBytes < HEADER ? readHeader(bytes, at) : readValue(bytes, at);
            }
            if (descriptor.isPresent() && current == null) {
                throw new IOException("a file came without an answer");
            }
            if (descriptor.isPresent() && !current.take(descriptor.get())) {
                throw new IOException("a file came that nobody has asked for");
            }
        } catch (IOException e) {
            descriptor.ifPresent(Fd::close);
            throw e;
        }
    }

    private int readHeader(MemorySegment bytes, int at) throws IOException {
        int count = (int) Math.min(HEADER - headerBytes, bytes.byteSize() - at);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, header, headerBytes, count);
        headerBytes += count;
        if (headerBytes >= Frames.LENGTH_BYTES) {
            Frames.check((int) Frames.get(header, 0, Frames.LENGTH_BYTES)); // checked at once: the rest may never come
        }
        if (headerBytes == HEADER) {
            begin();
        }
        return count;
    }

    private void begin() throws IOException {
        int total = (int) Frames.get(header, 0, Frames.LENGTH_BYTES);
        length = total - Frames.ANSWER_BYTES;
        int kindNumber = header[HEADER - 1];
        if (length < 1 || kindNumber < 0 || kindNumber >= Frames.Kind.values().length) {
            throw new IOException("an answer begins in a way that none does");
        }
        kind = Frames.Kind.values()[kindNumber];
        long id = Frames.get(header, Frames.LENGTH_BYTES, Long.BYTES);
        current = requests.apply(id).orElseThrow(() -> new IOException("an answer to no request"));
        filled = 0;
        refused = false;
        grow(Math.min(length, FIRST_BYTES));
    }

    private int readValue(MemorySegment bytes, int at) throws IOException {
        int count = (int) Math.min(length - filled, bytes.byteSize() - at);
        if (!refused) {
            keep(bytes, at, count);
        }
        filled += count;
        if (filled == length) {
            PendingAnswer done = current;
            byte[] whole = value;
            boolean complete = !refused;
            clear();
            if (complete) {
                done.complete(kind, whole);
            }
        }
        return count;
    }

    private void keep(MemorySegment bytes, int at, int count) {
        if (filled + count > value.length) {
            grow((int) Math.min(length, Math.max(filled + count, 2L * value.length)));
        }
        if (!refused) {
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, value, filled, count);
        }
    }

    /**
     * Enlarges the array. Its first growth takes memory for the rest of the answer and for the message that gets a copy
     * of it.
     */
    private void grow(int size) {
        try {
            if (value.length > 0) {
                current.memory().takeAhead(2L * length - value.length + ENVELOPE_BYTES);
            }
            current.memory().grow(value.length, size);
            value = Arrays.copyOf(value, size);
        } catch (RpcException e) {
            refused = true;
            value = new byte[0];
            current.refuse(e);
        }
    }

    private void clear() {
        current = null;
        value = new byte[0];
        headerBytes = 0;
    }

    /** Called when the stream has ended: the request whose answer was arriving fails. */
    void fail(String why) {
        if (current != null) {
            PendingAnswer lost = current;
            clear();
            lost.fail(why);
        }
    }
}
