package dev.execserver.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** HTTP request that turns a socket into a WebSocket (RFC 6455 section 4.1), with the headers of the protocol. */
final class Upgrade {

    private static final int MAX_HEAD_BYTES = 16 << 10;
    private static final int MAX_REFUSAL_CHARS = 200;
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final Endpoint endpoint;
    private final String lines;
    private final String key = newKey();

    /**
     * Makes a request, for which the supplier of the token is asked. Do it before a socket is opened: the supplier may take longer than
     * a server waits.
     */
    Upgrade(Endpoint endpoint, UpgradeHeaders headers) throws IOException {
        this.endpoint = endpoint;
        this.lines = headers.lines();
    }

    /** Sends the request and reads the answer, but nothing after it. */
    void perform(InputStream in, OutputStream out) throws IOException {
        out.write(request().getBytes(StandardCharsets.UTF_8));
        out.flush();
        String[] lines = head(in).split("\r\n");
        int status = status(lines[0]);
        if (status != 101) {
            throw new UpgradeRefusedException(status, refusal(in, lines));
        }
        if (!header(lines, "sec-websocket-accept").equals(Optional.of(accept(key)))) {
            throw new IOException("the server's Sec-WebSocket-Accept does not answer our key");
        }
    }

    private String request() {
        return "GET " + endpoint.target() + " HTTP/1.1\r\nHost: " + endpoint.authority()
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                + key + "\r\n" + lines + "\r\n";
    }

    /** Reads up to and including the empty line, byte by byte, because later bytes belong to the WebSocket. */
    static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException("the server closed the connection during the upgrade");
            }
            if (head.length() == MAX_HEAD_BYTES) {
                throw new IOException("the server's HTTP header is too long");
            }
            head.append((char) octet);
        }
        return head.toString();
    }

    static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.1 [1-5][0-9][0-9]( .*)?")) {
            throw new IOException("the server does not speak HTTP/1.1");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    /** Returns the body if its length is known and small, else the reason in the status line. */
    private static String refusal(InputStream in, String[] lines) throws IOException {
        int length = header(lines, "content-length")
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::parseInt)
                .orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8).strip();
        String text = body.isEmpty() ? lines[0].substring(12).strip() : body;
        return text.length() > MAX_REFUSAL_CHARS ? text.substring(0, MAX_REFUSAL_CHARS) : text;
    }

    private static Optional<String> header(String[] lines, String name) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(line.substring(colon + 1).strip());
            }
        }
        return Optional.empty();
    }

    private static String newKey() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }

    static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
