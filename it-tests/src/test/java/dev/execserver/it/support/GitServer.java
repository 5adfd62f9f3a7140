package dev.execserver.it.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Serves the repositories of a folder over git's smart HTTP protocol, on loopback, with git's own CGI program. */
public final class GitServer implements AutoCloseable {
    private final HttpServer server;
    private final Path folder;

    public GitServer(Path folder) throws IOException {
        this.folder = folder;
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    public String url(String repository) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + repository;
    }

    private void serve(HttpExchange exchange) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("git", "http-backend").redirectError(ProcessBuilder.Redirect.DISCARD);
        String query = exchange.getRequestURI().getRawQuery();
        builder.environment()
                .putAll(Map.of(
                        "GIT_PROJECT_ROOT", folder.toString(),
                        "GIT_HTTP_EXPORT_ALL", "1",
                        "REQUEST_METHOD", exchange.getRequestMethod(),
                        "PATH_INFO", exchange.getRequestURI().getPath(),
                        "QUERY_STRING", query == null ? "" : query,
                        "CONTENT_TYPE", header(exchange, "Content-Type"),
                        "HTTP_CONTENT_ENCODING", header(exchange, "Content-Encoding"),
                        "GIT_PROTOCOL", header(exchange, "Git-Protocol")));
        Process cgi = builder.start();
        try (OutputStream in = cgi.getOutputStream()) {
            exchange.getRequestBody().transferTo(in);
        }
        try (InputStream out = cgi.getInputStream()) {
            int status = 200;
            for (String line = line(out); !line.isEmpty(); line = line(out)) {
                String[] field = line.split(": ", 2);
                if (field[0].equals("Status")) {
                    status = Integer.parseInt(field[1].substring(0, 3));
                } else {
                    exchange.getResponseHeaders().add(field[0], field[1]);
                }
            }
            exchange.sendResponseHeaders(status, 0); // in chunks
            try (OutputStream body = exchange.getResponseBody()) {
                out.transferTo(body);
            }
        }
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
