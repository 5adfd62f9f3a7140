package dev.execserver.helper.wire;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.Fd;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Sends answers, one after the other. Working threads enter; {@code lock} is held while writing, nobody else takes it. */
final class AnswerWriter {

    private static final int HEADER = Frames.LENGTH_BYTES + Frames.ANSWER_BYTES;

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream out;
    private final int socket;

    /** @param socket descriptor below {@code out}; descriptors can only be sent over a Unix socket */
    AnswerWriter(OutputStream out, int socket) {
        this.out = out;
        this.socket = socket;
    }

    /** Sends a value, and an open file along with the bytes before it. The file stays the caller's. */
    void send(long id, Frames.Kind kind, MessageBuffer value, Optional<Fd> file) throws IOException {
        byte[] bytes = value.array();
        int start = value.offset() - HEADER;
        Frames.put(bytes, start, Frames.LENGTH_BYTES, Frames.ANSWER_BYTES + (long) value.length());
        Frames.put(bytes, start + Frames.LENGTH_BYTES, Long.BYTES, id);
        bytes[value.offset() - 1] = (byte) kind.ordinal();
        lock.lock();
        try {
            if (file.isPresent()) {
                DescriptorPassing.send(socket, bytes, start, HEADER, file.get());
                out.write(bytes, value.offset(), value.length());
            } else {
                out.write(bytes, start, HEADER + value.length());
            }
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
