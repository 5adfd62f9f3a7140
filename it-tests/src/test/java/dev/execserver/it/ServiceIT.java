package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.process.EnvPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a service of systemd: its messages to the manager, and the unit of the repository. */
@Timeout(120)
class ServiceIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path UNITS = Path.of("..", "deploy", "systemd");
    /** Exposure in tenths that `systemd-analyze security` may find. */
    private static final int MOST_EXPOSED = 50;

    /** Prints each message as one line, with the lines of the message separated by blanks. */
    private static final String MANAGER = """
            import socket, sys
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(sys.argv[1].replace("@", "\\0", 1))
            print("listening", flush=True)
            while True:
                print(receiver.recv(4096).decode().replace("\\n", " "), flush=True)
            """;

    private static final EnvPolicy EVERYTHING =
            new EnvPolicy(EnvPolicy.Inherit.ALL, true, List.of(), Map.of(), List.of());

    @TempDir
    private Path folder;

    @Test
    void theManagerHearsOfReadinessReloadSignsOfLifeAndTheStop() throws Exception {
        Path socket = folder.resolve("notify");
        try (Manager manager = new Manager(socket.toString());
                ServerProcess server =
                        service(Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "3000000"))) {
            manager.awaitMessage("READY=1 STATUS=serving " + server.url());
            await("signs of life").atMost(LIMIT).until(() -> manager.count("WATCHDOG=1") >= 3);

            new ProcessBuilder("kill", "-HUP", Long.toString(server.pid()))
                    .start()
                    .waitFor();
            manager.awaitMessage("RELOADING=1 MONOTONIC_USEC=");
            await("ready again").atMost(LIMIT).until(() -> manager.count("READY=1") == 2);

            assertThat(server.stop()).isZero();
            manager.awaitMessage("STOPPING=1");
            assertThat(manager.messages().indexOf("STOPPING=1 STATUS=stopping"))
                    .isGreaterThan(manager.messages().lastIndexOf("READY=1 STATUS=serving " + server.url()));
        }
    }

    @Test
    void aNameOfTheAbstractNamespaceIsASocketToo() throws Exception {
        String name = "@exec-server-it-" + ProcessHandle.current().pid();
        try (Manager manager = new Manager(name);
                ServerProcess server = service(Map.of("NOTIFY_SOCKET", name))) {
            manager.awaitMessage("READY=1 STATUS=serving " + server.url());
            assertThat(manager.count("WATCHDOG=1")).isZero();
        }
    }

    @Test
    void aServerThatTheServiceHasStartedSpeaksNotForTheService() throws Exception {
        Path socket = folder.resolve("notify");
        try (Manager manager = new Manager(socket.toString());
                ServerProcess child = service(Map.of("NOTIFY_SOCKET", socket.toString(), "SYSTEMD_EXEC_PID", "1"))) {
            assertThat(child.stop()).isZero();
            assertThat(manager.messages()).containsExactly("listening");
        }
    }

    @Test
    void aManagerThatIsGoneStopsNothing() throws Exception {
        try (ServerProcess server =
                service(Map.of("NOTIFY_SOCKET", folder.resolve("none").toString()))) {
            server.awaitStderr("the service manager cannot be told READY=1");
            assertThat(server.stop()).isZero();
        }
    }

    @Test
    void commandsDoNotInheritWhatTheManagerHasToldTheService() throws Exception {
        Map<String, String> told = Map.of(
                "WATCHDOG_USEC", "60000000", "LISTEN_FDNAMES", "x", "CREDENTIALS_DIRECTORY", "/run/x", "IT_OTHER", "y");
        try (ServerProcess server = service(told);
                ExecServerClient client = ExecServerClient.connect(
                        ClientOptions.url(server.url().toString()).build());
                RemoteProcess process = client.start(ProcessSpec.of("env").inherit(Optional.of(EVERYTHING)))) {
            assertThat(new String(process.stdout().readAllBytes(), UTF_8))
                    .contains("IT_OTHER=y")
                    .doesNotContain("WATCHDOG_USEC", "LISTEN_FDNAMES", "CREDENTIALS_DIRECTORY");
        }
    }

    @Test
    void theUnitIsCorrectAndLeavesTheServiceLittleToDoHarmWith() throws Exception {
        String program = ServerCommand.script(List.of()).getFirst();
        Path service = folder.resolve("exec-server.service");
        Files.writeString(
                service,
                Files.readString(UNITS.resolve("exec-server.service")).replace("/usr/bin/exec-server", program));
        Path more = Files.createDirectory(folder.resolve("exec-server.service.d"));
        Files.copy(UNITS.resolve("credentials.conf"), more.resolve("credentials.conf"));

        Path socket = Files.copy(UNITS.resolve("exec-server.socket"), folder.resolve("exec-server.socket"));

        assertThat(analyze("verify", "--man=no", service.toString(), socket.toString()))
                .isEmpty();
        String exposure =
                analyze("security", "--offline=yes", "--threshold=" + MOST_EXPOSED, "--no-pager", service.toString());
        assertThat(exposure).contains("Overall exposure level");
    }

    private String analyze(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("systemd-analyze"));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start()
                .waitFor();
        String text = Files.readString(out);
        assertThat(status).as(text).isZero();
        return text;
    }

    /** Starts a server that has no terminal. */
    private static ServerProcess service(Map<String, String> environment) {
        return ServerProcess.listening(List.of("setsid"), environment);
    }

    /** A receiver of messages, which go to a file. */
    private final class Manager implements AutoCloseable {
        private final Process process;
        private final Path printed = folder.resolve("messages");

        Manager(String address) throws IOException {
            process = new ProcessBuilder("python3", "-c", MANAGER, address)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(printed.toFile())
                    .start();
            awaitMessage("listening");
        }

        List<String> messages() throws IOException {
            return Files.readAllLines(printed);
        }

        long count(String beginning) throws IOException {
            return messages().stream()
                    .filter(line -> line.startsWith(beginning))
                    .count();
        }

        void awaitMessage(String beginning) {
            await(beginning).atMost(LIMIT).until(() -> count(beginning) >= 1);
        }

        @Override
        public void close() throws InterruptedException {
            process.destroy();
            process.waitFor();
        }
    }
}
