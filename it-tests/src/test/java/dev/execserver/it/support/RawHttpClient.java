package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An HTTP connection on which a test controls every byte. */
public final class RawHttpClient implements AutoCloseable {

    /** A response. The body has the length of Content-Length, or less if the connection ended early. */
    public record Response(int status, List<String> headers, byte[] body, boolean whole) {
        public Optional<String> header(String name) {
            return headers.stream()
                    .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(header -> header.substring(name.length() + 1).strip())
                    .findFirst();
        }

        public String text() {
            return new String(body, ISO_8859_1);
        }
    }

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private RawHttpClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    public static RawHttpClient connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        return new RawHttpClient(socket);
    }

    /** Sends a head; lines are separated by {@code |}. */
    public RawHttpClient head(String lines) throws IOException {
        return bytes((lines.replace("|", "\r\n") + "\r\n\r\n").getBytes(ISO_8859_1));
    }

    public RawHttpClient bytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** Reads the response to a request other than HEAD. */
    public Response response() throws IOException {
        return response(true);
    }

    public Response response(boolean hasBody) throws IOException {
        Response head = responseHead();
        int length = head.header("content-length").map(Integer::parseInt).orElse(0);
        byte[] body = hasBody && head.status() != 304 ? in.readNBytes(length) : new byte[0];
        return new Response(head.status(), head.headers(), body, body.length == length);
    }

    /** Reads only the head; interim responses are skipped. */
    public Response responseHead() throws IOException {
        while (true) {
            List<String> lines = new ArrayList<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                lines.add(line);
            }
            int status = Integer.parseInt(lines.getFirst().split(" ", -1)[1]);
            if (status / 100 != 1) {
                return new Response(status, lines.subList(1, lines.size()), new byte[0], true);
            }
        }
    }

    /** Returns the next line without its line end. */
    public String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("connection closed");
            }
            line.write(b);
        }
        return line.toString(ISO_8859_1).strip();
    }

    /** Reads until the connection ends. Returns the number of bytes; -1 after a reset. */
    public long drain() {
        try {
            return in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException reset) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
