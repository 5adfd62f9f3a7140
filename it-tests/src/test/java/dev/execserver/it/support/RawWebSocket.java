package dev.execserver.it.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A WebSocket connection at the level of frames (RFC 6455 section 5), which sends anything, valid or not: any opcode, any
 * length, half a frame. One thread reads, any thread writes; the write lock keeps frames whole.
 */
public final class RawWebSocket implements AutoCloseable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;
    private static final int CONNECT_LIMIT_MS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();

    public record Frame(boolean fin, int opcode, byte[] payload) {}

    private RawWebSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = socket.getOutputStream();
    }

    /** Connects and upgrades; throws if the answer is not 101. */
    public static RawWebSocket connect(int port, Map<String, String> headers) throws IOException {
        RawWebSocket connection = open(port);
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
        headers.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        connection.sendBytes(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        String head = connection.readHead();
        if (!head.startsWith("HTTP/1.1 101") || !head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) {
            connection.close();
            throw new IOException("upgrade refused: " + head);
        }
        return connection;
    }

    /** Opens a TCP connection without sending anything. */
    public static RawWebSocket open(int port) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_LIMIT_MS);
        return new RawWebSocket(socket);
    }

    private String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(in.readByte());
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    public void send(boolean fin, int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
        header(frame, fin, opcode, payload.length);
        int mask = ThreadLocalRandom.current().nextInt();
        frame.putInt(mask);
        byte[] key = {(byte) (mask >> 24), (byte) (mask >> 16), (byte) (mask >> 8), (byte) mask};
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ key[i & 3]));
        }
        write(frame.array(), frame.position());
    }

    /** Sends the header of a frame whose payload never comes. */
    public void sendHeaderOnly(int opcode, long declaredLength) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(14);
        header(frame, true, opcode, declaredLength);
        frame.putInt(0);
        write(frame.array(), frame.position());
    }

    private static void header(ByteBuffer frame, boolean fin, int opcode, long length) {
        frame.put((byte) ((fin ? 0x80 : 0) | opcode));
        if (length < 126) {
            frame.put((byte) (0x80 | length));
        } else if (length < 1 << 16) {
            frame.put((byte) (0x80 | 126)).putShort((short) length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(length);
        }
    }

    public void sendBytes(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int length) throws IOException {
        writing.lock();
        try {
            out.write(bytes, 0, length);
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    /** Reads the next frame; {@link EOFException} at the end of the stream. */
    public Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        if ((second & 0x80) != 0 || length > 128 << 20) {
            throw new IOException("bad server frame: masked or of length " + length);
        }
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        return new Frame((first & 0x80) != 0, first & 0x0f, payload);
    }

    /** Resets the TCP connection, as a vanished peer would. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
