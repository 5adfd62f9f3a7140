package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A policy that lets read everything has the server itself read, which may see what a command may not: its environment, its
 * token, its state. However a path leads there, and however fast that changes, none of it is told.
 */
@Timeout(180)
class FileSecretsIT {
    private static final String MARKER = "marker-of-a-secret";
    private static final int ROUNDS = 400;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(factory = VarTmp.class)
    private static Path base;

    private static Path token;
    private static Path state;
    private static ServerProcess server;

    @TempDir(factory = VarTmp.class)
    private Path workspace;

    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        token = Files.writeString(base.resolve("token"), MARKER + "-0123456789");
        state = Files.createDirectory(base.resolve("state"));
        server = ServerProcess.listening(
                List.of(),
                Map.of("EXEC_SERVER_IT_SECRET", MARKER),
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token.toString(),
                "--state-dir",
                state.toString());
        Files.writeString(state.resolve("private-name"), MARKER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + Files.readString(token)));
        client.handshake();
        Files.writeString(workspace.resolve("harmless"), "harmless");
        Files.createDirectory(workspace.resolve("folder"));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private ObjectNode readsEverything() {
        return Policies.of(workspace, entry("root", "read"), entry("project_roots", "write"));
    }

    private Call ask(String method, Path path, Object... members) {
        ObjectNode params = Json.object(members);
        params.put("path", path.toString());
        params.set("sandbox", readsEverything());
        return client.send(method, params);
    }

    /** The answer with the content of files as text. */
    private static String told(Answer answer) {
        JsonNode message = answer.message();
        JsonNode data = message.at("/result/dataBase64");
        return message + (data.isMissingNode() ? "" : new String(Json.bytes(data), UTF_8));
    }

    private void noSecret(Answer answer) {
        assertThat(told(answer)).doesNotContain(MARKER, "private-name", "oom_score_adj");
    }

    /** Calls a method again and again while what the path leads to changes. */
    private void race(Path harmless, Path secret, Object[] members, String... methods) throws Exception {
        Path link = workspace.resolve("link");
        Files.createSymbolicLink(link, harmless);
        Thread swapper = Thread.ofPlatform().start(() -> swap(link, harmless, secret));
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<Call> calls = new ArrayList<>();
                for (String method : methods) {
                    calls.add(ask(method, link, members));
                    calls.add(ask(method, link, members));
                }
                calls.forEach(call -> noSecret(call.answer(PATIENCE)));
            }
        } finally {
            swapper.interrupt();
            swapper.join();
        }
    }

    private static void swap(Path link, Path first, Path second) {
        try {
            for (Path next = second; !Thread.currentThread().isInterrupted(); next = next == first ? second : first) {
                Path fresh = link.resolveSibling("fresh");
                Files.deleteIfExists(fresh);
                Files.createSymbolicLink(fresh, next);
                Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"environment", "token", "state"})
    void aLinkThatIsSwappedShowsNoSecretFile(String which) throws Exception {
        Path secret = switch (which) {
            case "environment" -> Path.of("/proc/" + server.pid() + "/environ");
            case "token" -> token;
            default -> state.resolve("private-name");
        };
        race(workspace.resolve("harmless"), secret, new Object[0], "fs/readFile", "fs/canonicalize");
    }

    @ParameterizedTest
    @ValueSource(strings = {"process", "state"})
    void aLinkThatIsSwappedShowsNoSecretDirectory(String which) throws Exception {
        Path secret = which.equals("process") ? Path.of("/proc/" + server.pid()) : state;
        Object[] options = {
            "options",
            Json.object(
                    "maxDepth", 2,
                    "maxDirectories", 100,
                    "maxEntries", 1000,
                    "followDirectorySymlinks", true)
        };
        race(workspace.resolve("folder"), secret, options, "fs/readDirectory", "fs/walk");
    }

    @Test
    void aFileThatIsOpenedInBlocksIsNoSecretEither() throws Exception {
        Path link = workspace.resolve("link");
        Path harmless = workspace.resolve("harmless");
        Files.createSymbolicLink(link, harmless);
        Thread swapper = Thread.ofPlatform().start(() -> swap(link, harmless, token));
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String handle = "h" + round;
                if (ask("fs/open", link, "handleId", handle).answer(PATIENCE).failed()) {
                    continue;
                }
                JsonNode block = client.call("fs/readBlock", "handleId", handle, "offset", 0, "len", 4096)
                        .result();
                assertThat(new String(Json.bytes(block.get("chunk")), UTF_8)).doesNotContain(MARKER);
                client.call("fs/close", "handleId", handle).result();
            }
        } finally {
            swapper.interrupt();
            swapper.join();
        }
    }

    @Test
    void aHardLinkToTheTokenIsRefused() throws Exception {
        Path hard = Files.createLink(workspace.resolve("hard"), token);
        Answer answer = ask("fs/readFile", hard).answer(PATIENCE);

        assertThat(answer.errorCode()).isEqualTo(-32600);
        assertThat(answer.errorMessage()).isEqualTo("Permission denied (os error 13)");
        assertThat(ask("fs/getMetadata", hard).answer(PATIENCE).failed()).isTrue();
    }

    @Test
    void aSecretThatIsMovedAwayAndAnotherProcAreNoWayEither() throws Exception {
        Path alias = Files.createSymbolicLink(workspace.resolve("alias"), Path.of("/dev/fd/../environ"));
        noSecret(ask("fs/readFile", alias).answer(PATIENCE));
        noSecret(ask("fs/readFile", Path.of("/proc/self/environ")).answer(PATIENCE));
        noSecret(ask("fs/readDirectory", Path.of("/proc/" + server.pid())).answer(PATIENCE));
        noSecret(ask(
                        "fs/copy",
                        workspace,
                        "sourcePath",
                        "/proc/" + server.pid() + "/environ",
                        "destinationPath",
                        workspace.resolve("copy").toString(),
                        "recursive",
                        false)
                .answer(PATIENCE));
        Path copy = workspace.resolve("copy");
        assertThat(Files.exists(copy) ? Files.readString(copy, java.nio.charset.StandardCharsets.ISO_8859_1) : "")
                .doesNotContain(MARKER);
        noSecret(ask("fs/search", base, "pattern", MARKER).answer(PATIENCE));
    }

    @Test
    void walkingEverythingDoesNotEnterTheServersProcess() {
        Answer answer = ask(
                        "fs/walk",
                        Path.of("/"),
                        "options",
                        Json.object(
                                "maxDepth", 2,
                                "maxDirectories", 2000,
                                "maxEntries", 20_000,
                                "followDirectorySymlinks", false))
                .answer(PATIENCE);

        assertThat(answer.result().toString()).doesNotContain("/proc/" + server.pid() + "/");
    }
}
