package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples in clients/LANGUAGE/examples print what docs/clients.md promises. */
@Timeout(180)
class ClientExamplesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private static List<String> run(Language language, String example, String... arguments) throws Exception {
        return runAt(SERVER.port(), language, example, arguments);
    }

    private static List<String> runAt(int port, Language language, String example, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(language.example(example));
        command.add("ws://127.0.0.1:" + port);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(err).isEmpty();
        return out.lines().toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void theQuickStartPrintsWhatThePageShows(Language language) throws Exception {
        String page = Files.readString(
                Path.of(System.getProperty("exec.server.repository", "..")).resolve("docs/clients.md"));

        List<String> printed = run(language, "quickstart");

        assertThat(page).contains("```\n" + String.join("\n", printed) + "\n```");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void aSessionIsLeftAndTakenUpAgain(Language language) throws Exception {
        assertThat(run(language, "resume")).containsExactly("still runs: sh -c sleep 300");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void aTreeIsUploadedWithItsModes(Language language) throws Exception {
        Path source = Files.createDirectories(directory.resolve("from/deep")).getParent();
        Files.writeString(source.resolve("a"), "first");
        Files.writeString(source.resolve("deep/b"), "second");
        assertThat(source.resolve("deep/b").toFile().setExecutable(true)).isTrue();
        Path target = directory.resolve("to");

        assertThat(run(language, "upload_tree", source.toString(), target.toString()))
                .containsExactly("2 files, 11 bytes");
        assertThat(target.resolve("a")).hasContent("first");
        assertThat(target.resolve("deep/b")).hasContent("second").isExecutable();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void aFileGoesOverHttp(Language language) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "secret");
        try (ServerProcess server =
                ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            String file = directory.resolve("file").toString();

            assertThat(runAt(server.url().getPort(), language, "files_over_http", "secret", file))
                    .containsExactly("world 5 bytes", "RequestError changed");
        }
    }
}
