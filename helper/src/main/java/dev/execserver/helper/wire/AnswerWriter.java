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

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream out;
    private final int socket;

    /** @param socket descriptor below {@code out}; descriptors can only be sent over a Unix socket */
    AnswerWriter(OutputStream out, int socket) {
        this.out = out;
        this.socket = socket;
    }

    /** Sends a message, and an open file along with its first bytes. The file stays the caller's. */
    void send(MessageBuffer message, Optional<Fd> file) throws IOException {
        int start = message.offset() - Frames.HEADER_BYTES;
        Frames.header(message.array(), message.offset(), message.length());
        lock.lock();
        try {
            if (file.isPresent()) {
                DescriptorPassing.send(socket, message.array(), start, Frames.HEADER_BYTES, file.get());
                out.write(message.array(), message.offset(), message.length());
            } else {
                out.write(message.array(), start, Frames.HEADER_BYTES + message.length());
            }
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
