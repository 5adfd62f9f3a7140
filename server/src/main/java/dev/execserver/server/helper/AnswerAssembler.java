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
 * Puts the answers of one helper together from what the socket gives. The helper need not be trusted: it makes us keep no
 * more than twice what it has sent, and nothing for a request that nobody has made. For a long answer, once that has
 * begun to come, the memory is taken in one step; when there is none, its request fails and the answer is thrown away.
 * One thread.
 */
final class AnswerAssembler {

    private static final int HEADER = Frames.LENGTH_BYTES + Frames.ANSWER_BYTES;
    private static final int FIRST_BYTES = 64 * 1024;

    /** Of the message to the client: what is around the answer. */
    static final int ENVELOPE_BYTES = 512;

    private final LongFunction<Optional<PendingAnswer>> requests;
    private final byte[] header = new byte[HEADER];
    private int headerBytes;
    private PendingAnswer current;
    private Frames.Kind kind;
    private byte[] value = {};
    private int length;
    private int filled;
    /** The answer under way is thrown away: its request was told that there is no memory for it. */
    private boolean refused;

    /** @param requests finds who waits for an answer, and forgets it */
    AnswerAssembler(LongFunction<Optional<PendingAnswer>> requests) {
        this.requests = requests;
    }

    /**
     * Takes what one read has given.
     *
     * @param descriptor open file that came along: the kernel ends a read behind the bytes that it was sent with, which are
     *     the header of its answer
     * @throws IOException when the helper says what it must not
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
            Frames.check((int) Frames.get(header, 0, Frames.LENGTH_BYTES)); // at once: the rest may never come
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

    /** With the first growth goes all that is left of the answer, and the message that it will be copied into. */
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

    /** The stream has ended: whoever was being answered is told. */
    void fail(String why) {
        if (current != null) {
            PendingAnswer lost = current;
            clear();
            lost.fail(why);
        }
    }
}
