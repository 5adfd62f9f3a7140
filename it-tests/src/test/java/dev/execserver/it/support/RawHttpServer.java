package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server that shows requests byte for byte and answers with any bytes of a test. One daemon thread per connection.
 * Connections stay open unless the answer closes them.
 */
public final class RawHttpServer implements AutoCloseable {

    /** Thrown by an answer after which nothing follows. The connection stays open until the peer closes it. */
    public static final class SilenceException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Writes an answer. Any other exception closes the connection. */
    @FunctionalInterface
    public interface Answerer {
        void answer(Request request, OutputStream out) throws IOException;
    }

    /** A request: its first line, its header lines, its body and the number of its connection. */
    public record Request(String line, List<String> headers, String body, int connection) {
        public String path() {
            return line.split(" ", -1)[1];
        }

        /** Returns the values of a header in order. */
        public List<String> all(String name) {
            return headers.stream()
                    .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(header -> header.substring(name.length() + 1).strip())
                    .toList();
        }

        public Optional<String> header(String name) {
            return all(name).stream().findFirst();
        }
    }

    private final ServerSocket listener;
    private final Answerer answerer;
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private RawHttpServer(ServerSocket listener, Answerer answerer) {
        this.listener = listener;
        this.answerer = answerer;
        Thread.ofPlatform().daemon().name("raw-http").start(this::accept);
    }

    public static RawHttpServer answering(Answerer answerer) {
        return on(InetAddress.getLoopbackAddress(), answerer);
    }

    public static RawHttpServer on(InetAddress address, Answerer answerer) {
        try {
            return new RawHttpServer(new ServerSocket(0, 50, address), answerer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an answer with status 200 and this body. */
    public static byte[] ok(String body) {
        return ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).getBytes(ISO_8859_1);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /** Returns the next request in the order of arrival. */
    public Request next() {
        try {
            Request request = requests.poll(10, TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("no further request within 10 s");
            }
            return request;
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }

    public boolean idle() {
        return requests.isEmpty();
    }

    /** Returns the number of open connections. */
    public int connections() {
        return open.size();
    }

    private void accept() {
        int count = 0;
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                int number = ++count;
                Thread.ofPlatform().daemon().name("raw-http-" + number).start(() -> serve(socket, number));
            }
        } catch (IOException closed) {
            open.forEach(RawHttpServer::close);
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                Optional<Request> request = read(in, number);
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request.get());
                try {
                    answerer.answer(request.get(), out);
                    out.flush();
                } catch (SilenceException silence) {
                    out.flush();
                    long unused = in.transferTo(OutputStream.nullOutputStream());
                    return;
                }
            }
        } catch (IOException e) {
            // closed by the peer, or by the answer
        } finally {
            open.remove(socket);
        }
    }

    private static Optional<Request> read(InputStream in, int number) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b != '\n') {
                line.append((char) b);
                continue;
            }
            String text = line.toString().replaceFirst("\r$", "");
            line.setLength(0);
            if (!text.isEmpty()) {
                lines.add(text);
            } else if (!lines.isEmpty()) {
                Request head = new Request(lines.getFirst(), lines.subList(1, lines.size()), "", number);
                int length =
                        head.header("content-length").map(Integer::parseInt).orElse(0);
                String body = new String(in.readNBytes(length), ISO_8859_1);
                return Optional.of(new Request(head.line(), List.copyOf(head.headers()), body, number));
            }
        }
        return Optional.empty();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(RawHttpServer::close);
    }
}
