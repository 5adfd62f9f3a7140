package dev.execserver.client.transport;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Server side of a WebSocket, written directly from RFC 6455, for one connection at a time. */
final class WebSocketPeer implements Closeable {

    /** A received frame, unmasked. */
    record Frame(boolean fin, int opcode, boolean masked, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    private final ServerSocket listener;
    private Socket socket;
    private DataInputStream in;
    private OutputStream out;
    private String requestHead;

    WebSocketPeer() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    String url() {
        return "ws://127.0.0.1:" + listener.getLocalPort();
    }

    /** Accepts a connection and reads its request. */
    WebSocketPeer accept() throws IOException {
        socket = listener.accept();
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        requestHead = head.toString(StandardCharsets.US_ASCII);
        return this;
    }

    String requestHead() {
        return requestHead;
    }

    void upgrade() throws IOException {
        String key = requestHead
                .lines()
                .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                .findFirst()
                .orElseThrow()
                .substring("Sec-WebSocket-Key: ".length());
        answer("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                + "sec-websocket-accept: " + Upgrade.accept(key) + "\r\n\r\n");
    }

    void answer(String http) throws IOException {
        out.write(http.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    void send(boolean fin, int opcode, byte[] payload) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write((fin ? 0x80 : 0) | opcode);
        if (payload.length < 126) {
            frame.write(payload.length);
        } else {
            frame.write(127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                frame.write((int) ((long) payload.length >>> shift));
            }
        }
        frame.write(payload);
        out.write(frame.toByteArray());
        out.flush();
    }

    void send(String text) throws IOException {
        send(true, FrameWriter.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the header of a frame whose payload never comes. */
    void announce(int opcode, long length) throws IOException {
        byte[] header = new byte[10];
        header[0] = (byte) (0x80 | opcode);
        header[1] = 127;
        for (int i = 0; i < 8; i++) {
            header[9 - i] = (byte) (length >>> i * 8);
        }
        out.write(header);
        out.flush();
    }

    Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        int length = second & 0x7F;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        boolean masked = (second & 0x80) != 0;
        byte[] mask = new byte[4];
        if (masked) {
            in.readFully(mask);
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i & 3];
        }
        return new Frame((first & 0x80) != 0, first & 0x0F, masked, payload);
    }

    /** Reads frames up to the end of a message and joins them; control frames in between are not expected. */
    byte[] message() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        Frame frame = frame();
        message.write(frame.payload());
        while (!frame.fin()) {
            frame = frame();
            message.write(frame.payload());
        }
        return message.toByteArray();
    }

    void drop() throws IOException {
        socket.close();
    }

    static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + i % 23);
        }
        return bytes;
    }

    static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        listener.close();
    }
}
