package dev.execserver.it.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.NpmPrograms;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console as people have it: built from its sources, and driven in Chromium. Pictures of each state are left in target/console. */
@Timeout(400)
class ConsoleBrowserIT {
    private static final Path REPOSITORY = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize();
    private static final Path SOURCES = REPOSITORY.resolve("clients/console");
    private static final Path BUNDLE = REPOSITORY.resolve("server/src/main/resources/dev/execserver/server/console");
    private static final String TOKEN = "secret-of-the-console";
    private static final JsonNode PROMPTING = Json.parse(
            "{\"prefixRules\":[{\"pattern\":[\"id\"],\"decision\":\"prompt\",\"justification\":\"it tells names\"}]}");
    private static final long LIMIT_SECONDS = 300;

    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path packages;

    @BeforeEach
    void install() throws Exception {
        packages = NpmPrograms.of("console", SOURCES).file(".").normalize();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private String node(Path directory, Map<String, String> environment, List<String> arguments) throws Exception {
        Path said = base.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("node"), arguments.stream()).toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(said, UTF_8);
        assertThat(ended && process.exitValue() == 0).as(text).isTrue();
        return text;
    }

    /** Makes a copy of the sources of the page, beside the packages that they need. */
    private Path sources() throws IOException {
        Path clients = base.resolve("clients");
        copy(REPOSITORY.resolve("clients/typescript/src"), clients.resolve("typescript/src"));
        copy(SOURCES.resolve("src"), clients.resolve("console/src"));
        copy(SOURCES.resolve("test"), clients.resolve("console/test"));
        for (String name : List.of("build.mjs", "tsconfig.json", "buffer.d.ts", "package.json")) {
            Files.copy(SOURCES.resolve(name), clients.resolve("console").resolve(name));
        }
        for (String name : List.of("package.json", "tsconfig.json")) {
            Files.copy(
                    REPOSITORY.resolve("clients/typescript").resolve(name),
                    clients.resolve("typescript").resolve(name));
        }
        Files.createSymbolicLink(clients.resolve("console/node_modules"), packages.resolve("node_modules"));
        return clients.resolve("console");
    }

    @Test
    void theCommittedBundleIsWhatTheSourcesMake() throws Exception {
        Path copy = sources();
        node(copy, Map.of(), List.of("node_modules/typescript/bin/tsc", "-p", "."));
        Path built = base.resolve("built");
        node(copy, Map.of(), List.of("build.mjs", built.toString()));
        try (Stream<Path> files = Files.list(built)) {
            List<Path> made = files.toList();
            assertThat(made).hasSize(4);
            for (Path file : made) {
                assertThat(Files.mismatch(file, BUNDLE.resolve(file.getFileName())))
                        .as("run `npm install && npm run build` in clients/console and commit " + file.getFileName())
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void peopleUseItInChromium() throws Exception {
        // A folder with nothing but a secret is hidden from sandboxes as a whole.
        Path token =
                Files.writeString(Files.createDirectory(base.resolve("secret")).resolve("token"), TOKEN);
        Path pictures = REPOSITORY.resolve("it-tests/target/console");
        String[] options = {"--ws-auth", "capability-token", "--ws-token-file", token.toString(), "--console"};
        try (ServerProcess writing = ServerProcess.listening(with(options, "write"));
                ServerProcess looking = ServerProcess.listening(with(options, "on"));
                WireClient agent = WireClient.connect(writing.port(), Map.of("Authorization", "Bearer " + TOKEN))) {
            agent.handshake();
            RemoteProcess asking = agent.start(Start.shell("id -u; exit 5").with("execPolicy", PROMPTING));
            String said = node(
                    sources(),
                    Map.of("HOME", base.toString()),
                    List.of(
                            "test/drive.mjs",
                            "http://127.0.0.1:" + writing.port(),
                            TOKEN,
                            pictures.toString(),
                            base.resolve("files").toString(),
                            "http://127.0.0.1:" + looking.port(),
                            agent.call("exec/allowApprover")
                                    .result()
                                    .get("token")
                                    .asText()));
            assertThat(said.lines().filter(line -> line.contains("ok "))).hasSizeGreaterThanOrEqualTo(15);
            assertThat(asking.exited().exitCode()).isEqualTo(5);
            assertThat(asking.text()).matches("\\d+\\n");
        }
    }

    private static String[] with(String[] options, String last) {
        return Stream.concat(Stream.of(options), Stream.of(last)).toArray(String[]::new);
    }
}
