package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server on stdio with its only client. A daemon thread turns stdout into messages; the test's thread does the rest. */
public final class StdioClient implements AutoCloseable {
    private final ServerProcess server;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private StdioClient(ServerProcess server) {
        this.server = server;
        Thread.ofPlatform().daemon().name("stdio-reader").start(this::collect);
    }

    public static StdioClient start(String listen, String... options) {
        List<String> arguments = new ArrayList<>(List.of("--listen", listen));
        arguments.addAll(List.of(options));
        return new StdioClient(ServerProcess.withOpenStdout(arguments));
    }

    private void collect() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(server.fromServer(), UTF_8))) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("{\"broken\":true}");
        }
    }

    public ServerProcess server() {
        return server;
    }

    public void sendLine(String line) {
        try {
            server.toServer().write((line + "\n").getBytes(UTF_8));
            server.toServer().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JsonNode next() {
        try {
            String line = lines.poll(Call.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new AssertionError("no further line; stderr: " + server.stderr());
            }
            return Json.parse(line);
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }

    public int unread() {
        return lines.size();
    }

    public JsonNode handshake() {
        sendLine("{\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"clientName\":\"it-tests\"}}");
        JsonNode answer = next();
        sendLine("{\"method\":\"initialized\",\"params\":{}}");
        return answer;
    }

    /** Closes the server's stdin and returns its exit status. */
    public int finish() {
        try {
            server.toServer().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return server.exitStatus();
    }

    @Override
    public void close() {
        server.close();
    }
}
