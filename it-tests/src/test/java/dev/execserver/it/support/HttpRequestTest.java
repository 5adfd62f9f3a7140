package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.RawHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of the tests of {@code http/request}: an HTTP server with unusual answers, and a client of the server under test,
 * which subclasses start as {@link #server()}.
 */
public abstract class HttpRequestTest {

    protected final AtomicLong sent = new AtomicLong();
    protected RawHttpServer http;
    protected WireClient client;

    protected abstract ServerProcess server();

    @BeforeEach
    protected void connect() {
        http = RawHttpServer.answering(this::answer);
        client = WireClient.connect(server().port());
        client.handshake();
    }

    @AfterEach
    protected void disconnect() {
        client.close();
        http.close();
    }

    protected void answer(Request request, OutputStream out) throws IOException {
        switch (request.path()) {
            case "/redirect" ->
                out.write("HTTP/1.1 302 X\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/loop" -> out.write("HTTP/1.1 302 X\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/to-ftp" ->
                out.write("HTTP/1.1 302 X\r\nLocation: ftp://x/\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/elsewhere" ->
                out.write(("HTTP/1.1 307 X\r\nLocation: http://localhost:" + http.port()
                                + "/end\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(UTF_8));
            case "/headers" ->
                out.write(
                        "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nX-L: caf\u00e9\r\nX-U: \u00c3\u00a9\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(ISO_8859_1));
            case "/chunked" ->
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
                        .getBytes(UTF_8));
            case "/until-close" -> {
                out.write("HTTP/1.1 200 OK\r\n\r\nuntil the end".getBytes(UTF_8));
                throw new IOException("that is the end");
            }
            case "/broken" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new IOException("broken");
            }
            case "/garbage" -> {
                out.write("garbage\r\n\r\n".getBytes(UTF_8));
                throw new IOException("enough");
            }
            case "/silent" -> throw new RawHttpServer.SilenceException();
            case "/stuck" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new RawHttpServer.SilenceException();
            }
            case "/endless", "/large" -> pour(request, out);
            default -> out.write(RawHttpServer.ok("ok"));
        }
    }

    private void pour(Request request, OutputStream out) throws IOException {
        byte[] piece = new byte[64 * 1024];
        long size = request.path().equals("/large") ? 33L << 20 : Long.MAX_VALUE;
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n").getBytes(UTF_8));
        for (long left = size; left > 0; left -= piece.length) {
            out.write(piece, 0, (int) Math.min(piece.length, left));
            sent.addAndGet(piece.length);
        }
    }

    protected static ObjectNode params(String method, String url, String id) {
        return Json.object("method", method, "url", url, "requestId", id);
    }

    protected Answer call(ObjectNode params) {
        return client.send("http/request", params).answer();
    }

    protected JsonNode get(String path) {
        return call(params("GET", http.url(path), "r")).result();
    }

    protected static String body(JsonNode result) {
        return new String(Json.bytes(result.get("bodyBase64")), UTF_8);
    }

    protected static List<JsonNode> headers(String... namesAndValues) {
        return java.util.stream.IntStream.range(0, namesAndValues.length / 2)
                .<JsonNode>mapToObj(i -> Json.object("name", namesAndValues[2 * i], "value", namesAndValues[2 * i + 1]))
                .toList();
    }
}
