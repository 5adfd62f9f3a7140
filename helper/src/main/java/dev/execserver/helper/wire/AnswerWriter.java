package dev.execserver.helper.wire;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.Fd;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends answers one after the other. Any thread that runs requests enters; {@code lock} is held while one answer is
 * written.
 */
final class AnswerWriter {

    private static final int HEADER = Frames.LENGTH_BYTES + Frames.ANSWER_BYTES;

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream out;
    private final int socket;

    /**
     * Writes to a socket.
     *
     * @param socket descriptor below {@code out}; descriptors can only be sent over a Unix socket
     */
    AnswerWriter(OutputStream out, int socket) {
        this.out = out;
        this.socket = socket;
    }

    /** Sends a value, with an open file attached to the header if one is given. The caller keeps the file. */
    void send(long id, Frames.Kind kind, MessageBuffer value, Optional<Fd> file) throws IOException {
        byte[] header = new byte[HEADER];
        Frames.put(header, 0, Frames.LENGTH_BYTES, Frames.ANSWER_BYTES + (long) value.length());
        Frames.put(header, Frames.LENGTH_BYTES, Long.BYTES, id);
        header[HEADER - 1] = (byte) kind.ordinal();
        lock.lock();
        try {
            boolean[] begun = {file.isPresent()};
            if (begun[0]) {
                DescriptorPassing.send(socket, header, 0, HEADER, file.get());
            }
            value.forEachPiece((bytes, offset, length) -> {
                int before = begun[0] ? 0 : HEADER; // header and value in one write
                System.arraycopy(header, 0, bytes, offset - before, before);
                out.write(bytes, offset - before, before + length);
                begun[0] = true;
            });
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
