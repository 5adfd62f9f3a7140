package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server's own files lie in a directory that is mounted in a second place: they are hidden there as well. */
@Timeout(60)
class SecondMountIT {
    private static final String TOKEN = "secret";
    private static final String TOKEN_SHA256 = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    @TempDir(factory = VarTmp.class)
    private static Path base;

    private static Path elsewhere;
    private static ServerProcess server;

    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        Path own = Files.createDirectory(base.resolve("own"));
        elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        Path state = Files.createDirectory(own.resolve("state"));
        Files.writeString(own.resolve("plain"), "plain");
        List<String> mounted = List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"");
        server = ServerProcess.listening(
                Stream.concat(mounted.stream(), Stream.of(own.toString(), elsewhere.toString()))
                        .toList(),
                Map.of(),
                "--state-dir",
                state.toString(),
                "--ws-auth",
                "capability-token",
                "--ws-token-sha256",
                TOKEN_SHA256);
        Files.writeString(state.resolve("secret"), "secret");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        // From its own user namespace the server cannot look into this process.
        client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + TOKEN));
        client.handshake();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static JsonNode everythingReadable() {
        return Policies.of(base, Policies.entry("root", "read"));
    }

    @Test
    void commandsDoNotSeeThem() {
        RemoteProcess process =
                client.start(Start.shell("cat " + elsewhere + "/plain; cat " + elsewhere + "/state/secret 2>&1")
                        .with("cwd", base.toUri().toString())
                        .with("sandbox", everythingReadable()));
        process.closed();

        assertThat(process.text()).startsWith("plain").endsWith("Permission denied\n");
    }

    @Test
    void fileCallsDoNotTellThem() {
        Answer plain = read("plain");
        Answer secret = read("state/secret");

        assertThat(plain.result().get("dataBase64").asText()).isEqualTo("cGxhaW4=");
        assertThat(secret.errorMessage()).isEqualTo("Permission denied (os error 13)");
    }

    private Answer read(String name) {
        return client.call(
                "fs/readFile", "path", elsewhere.resolve(name).toUri().toString(), "sandbox", everythingReadable());
    }
}
