package dev.execserver.client.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the masked frames of a client (RFC 6455 section 5). Any thread. {@code lock} keeps frames whole and the
 * fragments of a message together; it is held during writes to the socket.
 */
final class FrameWriter {

    /** Longer messages are split into fragments of this size, because the protocol forbids frames above 16 MiB. */
    static final int FRAGMENT_BYTES = 8 << 20;

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FIN = 0x80;
    private static final int MASKED = 0x80;
    private static final int MAX_HEADER = 14;

    private final OutputStream out;
    private final int fragmentBytes;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();

    FrameWriter(OutputStream out) {
        this(out, FRAGMENT_BYTES);
    }

    FrameWriter(OutputStream out, int fragmentBytes) {
        this.out = out;
        this.fragmentBytes = fragmentBytes;
    }

    /**
     * Sends one text message. The first frame leaves in one piece with its header, which goes into the head room of the
     * buffer.
     */
    void message(MessageBuffer message) throws IOException {
        byte[] array = message.array();
        int offset = message.offset();
        int left = message.length();
        int opcode = TEXT;
        lock.lock();
        try {
            do {
                int length = Math.min(left, fragmentBytes);
                left -= length;
                frame(opcode | (left == 0 ? FIN : 0), array, offset, length);
                offset += length;
                opcode = CONTINUATION;
            } while (left > 0);
        } finally {
            lock.unlock();
        }
    }

    void control(int opcode, byte[] payload) throws IOException {
        byte[] frame = new byte[MAX_HEADER + payload.length];
        System.arraycopy(payload, 0, frame, MAX_HEADER, payload.length);
        lock.lock();
        try {
            frame(opcode | FIN, frame, MAX_HEADER, payload.length);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes a frame. Its header overwrites the bytes before the payload: the head room, or a fragment that was already
     * sent.
     */
    private void frame(int firstByte, byte[] array, int offset, int length) throws IOException {
        int key = random.nextInt();
        Mask.apply(array, offset, length, key);
        int at = offset;
        for (int i = 3; i >= 0; i--) {
            array[--at] = (byte) (key >>> i * 8);
        }
        if (length < 126) {
            array[--at] = (byte) (MASKED | length);
        } else {
            int bytes = length < 65_536 ? 2 : 8;
            for (int i = 0; i < bytes; i++) {
                array[--at] = (byte) ((long) length >>> i * 8);
            }
            array[--at] = (byte) (MASKED | (bytes == 2 ? 126 : 127));
        }
        array[--at] = (byte) firstByte;
        out.write(array, at, offset + length - at);
        out.flush();
    }
}
