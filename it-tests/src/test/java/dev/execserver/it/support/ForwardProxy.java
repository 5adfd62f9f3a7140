package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A small HTTP proxy on the loopback interface with CONNECT and absolute targets, one request per connection. Every host name
 * leads to the loopback interface. So a name that no resolver knows works only if the proxy, not the client, resolves it. Two
 * virtual threads per connection.
 */
public final class ForwardProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private ForwardProxy(ServerSocket listener) {
        this.listener = listener;
        Thread.ofPlatform().daemon().name("forward-proxy").start(this::accept);
    }

    public static ForwardProxy on(String address) {
        try {
            return new ForwardProxy(new ServerSocket(0, 600, InetAddress.getByName(address)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    public String url() {
        String host = listener.getInetAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[::1]" : host) + ":" + port();
    }

    /** Returns method and target of each request. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            String[] line = head.lines().findFirst().orElse("").split(" ", -1);
            requests.add(line[0] + " " + line[1]);
            boolean tunnel = line[0].equals("CONNECT");
            URI target = URI.create(tunnel ? "http://" + line[1] : line[1]);
            try (Socket server = new Socket(InetAddress.getByName("127.0.0.1"), target.getPort())) {
                if (tunnel) {
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
                } else {
                    String path =
                            target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
                    String forwarded = line[0] + " " + path + " HTTP/1.1\r\nConnection: close\r\n"
                            + head.substring(head.indexOf("\r\n") + 2);
                    server.getOutputStream().write(forwarded.getBytes(ISO_8859_1));
                }
                Thread up = Thread.ofVirtual().start(() -> copy(client, server));
                copy(server, client);
                up.join();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            // The client sees its connection end.
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // The other direction ends by itself.
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("end of stream in the head");
            }
            head.write(next);
        }
        return head.toString(ISO_8859_1);
    }

    /** Stops listening; open connections go on. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
