package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.codec.Masking;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** WebSocket client that can misbehave: it writes the frames that a test wants and answers nothing by itself. */
final class RawClient implements AutoCloseable {
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    final Socket socket;
    private final DataInputStream in;

    record Frame(boolean fin, int opcode, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        int closeCode() {
            return payload.length < 2 ? -1 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
        }

        String closeText() {
            return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
        }
    }

    /** Status, head and body of an HTTP answer. */
    record Answer(int status, String head, String body) {}

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 * 1024));
    }

    /** Connects without sending anything. */
    static RawClient connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
        return new RawClient(socket);
    }

    static RawClient upgraded(int port, String... extraHeaders) throws IOException {
        RawClient client = connect(port);
        Answer answer = client.request(upgradeRequest(extraHeaders));
        if (answer.status() != 101) {
            throw new IOException("not upgraded: " + answer);
        }
        return client;
    }

    static String upgradeRequest(String... extraHeaders) {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
        for (String header : extraHeaders) {
            request.append(header).append("\r\n");
        }
        return request.append("\r\n").toString();
    }

    Answer request(String text) throws IOException {
        raw(text.getBytes(StandardCharsets.ISO_8859_1));
        return answer(text.startsWith("HEAD"));
    }

    Answer answer(boolean noBody) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        int status = Integer.parseInt(head.substring(9, 12));
        String lower = head.toString().toLowerCase(Locale.ROOT);
        int length = lower.indexOf("content-length:");
        int bytes = length < 0 || noBody
                ? 0
                : Integer.parseInt(lower.substring(length + 15, lower.indexOf("\r\n", length))
                        .strip());
        return new Answer(status, head.toString(), new String(in.readNBytes(bytes), StandardCharsets.UTF_8));
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void text(String text) throws IOException {
        frame(true, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    void frame(boolean fin, int opcode, byte[] payload) throws IOException {
        raw(encoded(fin, opcode, payload));
    }

    void close(int code, String reason) throws IOException {
        frame(true, CLOSE, closePayload(code, reason));
    }

    static byte[] closePayload(int code, String reason) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(code >> 8);
        out.write(code);
        out.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    static byte[] encoded(boolean fin, int opcode, byte[] payload) {
        byte[] header = header(fin ? 0x80 | opcode : opcode, true, payload.length);
        int mask = ThreadLocalRandom.current().nextInt();
        byte[] frame = new byte[header.length + 4 + payload.length];
        System.arraycopy(header, 0, frame, 0, header.length);
        for (int i = 0; i < 4; i++) {
            frame[header.length + i] = (byte) (mask >>> 8 * i);
        }
        System.arraycopy(payload, 0, frame, header.length + 4, payload.length);
        Masking.apply(frame, header.length + 4, payload.length, mask, 0);
        return frame;
    }

    static byte[] header(int first, boolean masked, long length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        int bit = masked ? 0x80 : 0;
        if (length < 126) {
            out.write(bit | (int) length);
        } else if (length <= 0xFFFF) {
            out.write(bit | 126);
            out.write((int) length >> 8);
            out.write((int) length);
        } else {
            out.write(bit | 127);
            for (int i = 56; i >= 0; i -= 8) {
                out.write((int) (length >>> i));
            }
        }
        return out.toByteArray();
    }

    Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7F;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        return new Frame((first & 0x80) != 0, first & 0x0F, payload);
    }

    /** Returns the next frame that is no ping. */
    Frame readData() throws IOException {
        Frame frame = read();
        while (frame.opcode() == PING) {
            frame = read();
        }
        return frame;
    }

    /** Reads a message and joins its fragments. */
    byte[] readMessage() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        Frame frame;
        do {
            frame = readData();
            whole.writeBytes(frame.payload());
        } while (!frame.fin());
        return whole.toByteArray();
    }

    /** Waits for input and returns true if the server has closed the connection. */
    boolean ended() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException e) {
            return true;
        } catch (SocketException e) {
            return true; // reset
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
