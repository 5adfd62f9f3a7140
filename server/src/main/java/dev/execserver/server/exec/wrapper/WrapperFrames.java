package dev.execserver.server.exec.wrapper;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.sandbox.io.PassingSocket;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.SocketPeers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages on the stream of a wrapper: four bytes with the length, the lowest first, and JSON. Descriptors come with the bytes of a
 * message. One thread.
 */
final class WrapperFrames implements AutoCloseable {
    /** Bytes of a message; the kernel takes fewer for the arguments and variables of a program. */
    static final int MAX_FRAME = 16 * 1024 * 1024;

    private static final int HEADER = 4;

    private final WrapperServices services;
    private final PassingSocket stream;
    private int reserved;

    WrapperFrames(WrapperServices services, PassingSocket stream) {
        this.services = services;
        this.stream = stream;
    }

    /**
     * A message.
     *
     * @param descriptors that came with it; the receiver closes them
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(byte[] json, List<Fd> descriptors) {}

    /** Waits for a message. @throws IOException at the end of the stream, or if the message is too large */
    Frame read() throws IOException {
        List<Fd> descriptors = new ArrayList<>();
        boolean whole = false;
        try {
            int length = ByteBuffer.wrap(bytes(HEADER, descriptors))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getInt();
            if (length < 0 || length > MAX_FRAME || !services.reserve(length)) {
                throw new IOException("a message of " + Integer.toUnsignedString(length) + " bytes is too large now");
            }
            reserved += length;
            Frame frame = new Frame(bytes(length, descriptors), List.copyOf(descriptors));
            whole = true;
            return frame;
        } finally {
            if (!whole) {
                descriptors.forEach(Fd::close);
            }
        }
    }

    private byte[] bytes(int length, List<Fd> descriptors) throws IOException {
        byte[] bytes = new byte[length];
        int at = 0;
        while (at < length) {
            PassingSocket.Received received = stream.tryReceive(length - at);
            descriptors.addAll(received.descriptors());
            if (descriptors.size() > SocketPeers.MAX_DESCRIPTORS) {
                throw new IOException("too many descriptors in a message");
            }
            if (received.count() == 0) {
                throw new EOFException("the wrapper has closed its connection");
            }
            if (received.count() < 0) {
                stream.awaitReadable();
            } else {
                System.arraycopy(received.bytes(), 0, bytes, at, received.count());
                at += received.count();
            }
        }
        return bytes;
    }

    /** Returns true while the wrapper waits: it has neither closed its connection nor said more than it may. */
    boolean quiet() {
        return stream.quiet();
    }

    void write(MessageBuffer json) {
        byte[] frame = ByteBuffer.allocate(HEADER + json.length())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(json.length())
                .put(json.array(), json.offset(), json.length())
                .array();
        stream.write(frame);
    }

    @Override
    public void close() {
        services.release(reserved);
    }
}
