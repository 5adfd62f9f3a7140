package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;

/**
 * A server that speaks WebSocket and HTTP as RFC 6455 has it and otherwise says what a test wants, in order to see what the
 * packaged client does with it. One virtual thread a connection, which runs the test's answers.
 */
public final class FakeExecServer implements AutoCloseable {
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String KEY = "sec-websocket-key:";

    /** What the server does. */
    public interface Script {
        /** Answers one request of a client, with {@link Link#result} or {@link Link#error}; notifications do not come here. */
        void request(Link link, String method, JsonNode id, JsonNode params) throws IOException;

        /**
         * Answers an upgrade or another HTTP request.
         *
         * @return true when that has happened; false for an upgrade that is to be granted
         */
        default boolean http(String head, Socket connection) throws IOException {
            return false;
        }
    }

    /** The server's end of one WebSocket. */
    public static final class Link {
        private final OutputStream out;

        Link(OutputStream out) {
            this.out = out;
        }

        public void result(JsonNode id, JsonNode result) throws IOException {
            text(Json.object("id", id, "result", result).toString());
        }

        /** Gives the result with warnings beside it, as with {@code --strict-members warn}. */
        public void warning(JsonNode id, JsonNode result, String... warnings) throws IOException {
            text(Json.object("id", id, "result", result, "warnings", warnings).toString());
        }

        public void error(JsonNode id, int code, String message) throws IOException {
            text(Json.object("id", id, "error", Json.object("code", code, "message", message))
                    .toString());
        }

        public void push(String method, Object... namesAndValues) throws IOException {
            text(Json.object("method", method, "params", Json.object(namesAndValues))
                    .toString());
        }

        public void text(String message) throws IOException {
            frame(TEXT, message.getBytes(UTF_8));
        }

        /** @param reason at most 123 bytes of UTF-8 */
        public void close(int code, String reason) throws IOException {
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            payload.write(code >> 8);
            payload.write(code);
            payload.write(reason.getBytes(UTF_8));
            frame(CLOSE, payload.toByteArray());
        }

        private void frame(int opcode, byte[] payload) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(0x80 | opcode);
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
    }

    private final TcpPeer listener;
    private final Script script;

    private FakeExecServer(Script script) {
        this.script = script;
        this.listener = TcpPeer.serving(this::serve);
    }

    public static FakeExecServer saying(Script script) {
        return new FakeExecServer(script);
    }

    /** The answer to {@code initialize} of a server with these additions. */
    public static JsonNode greeting(String sessionId, String... features) {
        return Json.object("sessionId", sessionId, "features", features);
    }

    public String url() {
        return "ws://127.0.0.1:" + listener.port();
    }

    private void serve(Socket connection) throws IOException {
        DataInputStream in = new DataInputStream(connection.getInputStream());
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        if (script.http(head.toString(ISO_8859_1), connection)) {
            return;
        }
        OutputStream out = connection.getOutputStream();
        out.write(("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                        + "sec-websocket-accept: " + accept(head.toString(ISO_8859_1)) + "\r\n\r\n")
                .getBytes(ISO_8859_1));
        out.flush();
        Link link = new Link(out);
        while (true) {
            JsonNode message = Json.parse(message(in));
            if (message.has("id") && message.has("method")) {
                script.request(link, message.get("method").textValue(), message.get("id"), message.path("params"));
            }
        }
    }

    private static String accept(String head) {
        String key = head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(KEY))
                .findFirst()
                .orElseThrow()
                .substring(KEY.length())
                .strip();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** The next text message; a close frame ends the connection, other control frames are passed over. */
    private static byte[] message(DataInputStream in) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            byte[] payload = payload(in);
            int opcode = first & 0x0f;
            if (opcode == CLOSE) {
                throw new IOException("closed by the client");
            }
            if (opcode > CLOSE) {
                continue;
            }
            message.write(payload);
            if ((first & 0x80) != 0) {
                return message.toByteArray();
            }
        }
    }

    private static byte[] payload(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        byte[] mask = new byte[4];
        in.readFully(mask);
        byte[] payload = new byte[length];
        in.readFully(payload);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i & 3];
        }
        return payload;
    }

    @Override
    public void close() {
        listener.close();
    }
}
