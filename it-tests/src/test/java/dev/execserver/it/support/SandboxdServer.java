package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server with the runtime interface of sandboxes on an address of its own, and its client from npm. */
public final class SandboxdServer implements AutoCloseable {
    private static final Path DEFINITION = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("docs/sandboxd/process.proto");

    private static final Pattern ADDRESS = Pattern.compile("--sandboxd: listens on 127\\.0\\.0\\.1:(\\d+)\\s");

    private final ServerProcess server;
    private final int port;

    private SandboxdServer(ServerProcess server) {
        this.server = server;
        server.awaitStderr("--sandboxd: listens on ");
        Matcher said = ADDRESS.matcher(server.stderr());
        assertThat(said.find()).as(server.stderr()).isTrue();
        this.port = Integer.parseInt(said.group(1));
    }

    /** Starts a server in a directory. */
    public static SandboxdServer start(Path directory, Map<String, String> environment, String... options) {
        List<String> all = new ArrayList<>(
                List.of("--sandboxd", "127.0.0.1:0", "--default-profile", ":workspace", "--log-level", "info"));
        all.addAll(List.of(options));
        return new SandboxdServer(ServerProcess.listening(
                List.of("env", "-C", directory.toString()), environment, all.toArray(String[]::new)));
    }

    public ServerProcess server() {
        return server;
    }

    public int port() {
        return port;
    }

    /** Carries out a step of {@code client.mjs} and returns what it has printed. */
    public JsonNode step(NpmPrograms programs, Path directory, Map<String, String> environment, String... step)
            throws IOException, InterruptedException {
        Program client = programs.run(directory, environment, "client.mjs", arguments(step));
        assertThat(client.status()).as(client.toString()).isZero();
        return Json.parse(client.out());
    }

    /** Returns the arguments of {@code client.mjs} for a step. */
    public List<String> arguments(String... step) {
        List<String> arguments = new ArrayList<>(List.of("127.0.0.1:" + port, DEFINITION.toString()));
        arguments.addAll(List.of(step));
        return arguments;
    }

    @Override
    public void close() {
        server.close();
    }
}
