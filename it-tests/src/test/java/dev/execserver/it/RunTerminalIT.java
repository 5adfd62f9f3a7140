package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code exec-server run --tty} at a real terminal. The terminal is one that a first server provides: a shell on it runs the
 * client, which talks to a second server. So the test types keys, changes the size and looks at the terminal's settings.
 */
@Timeout(180)
class RunTerminalIT {
    @RegisterExtension
    static final SharedServer TERMINALS = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String READY = "echo re''ady; ";
    private static final String FOREVER = "while :; do sleep 0.05; done";

    private final StringBuffer screen = new StringBuffer();
    private final String mark = UUID.randomUUID().toString();

    @TempDir
    private Path directory;

    private ServerProcess server;
    private UnreliableLink link;
    private ExecServerClient client;
    private RemoteProcess terminal;
    private List<String> options = List.of();

    @BeforeEach
    void start() throws InterruptedException {
        server = ServerProcess.listening();
        link = UnreliableLink.to(server.port());
        client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + TERMINALS.port()).build());
    }

    @AfterEach
    void end() throws InterruptedException {
        client.end();
        link.close();
        server.close();
    }

    @Test
    void theTerminalIsRawWhileTheProgramRunsAndAsBeforeAfterwards() throws Exception {
        run("sh", "-c", READY + "stty size; read line; echo got $line; exit 7");
        awaitScreen("ready");
        assertThat(settings()).contains("-icanon", "-echo ", "-isig", "-opost");
        awaitScreen("30 100");

        type("typed\r");

        awaitScreen("got typed");
        assertEnded(7);
    }

    @Test
    void questionsAboutProgramsAreAskedOnTheTerminalAndTheirAnswersDoNotReachTheProgram() throws Exception {
        Path rules = Files.writeString(directory.resolve("my.rules"), "prefix_rule(['id'], 'prompt')");
        options = List.of("--exec-rules", rules.toString());
        run("sh", "-c", "id -u; id -u; echo $?; read line; echo got $line");
        awaitScreen("exec-server: run /usr/bin/id -u in ");
        type("y");
        await().atMost(LIMIT).until(() -> screen.toString().split("\\[a]lways").length == 3);
        type("n");
        awaitScreen("126");

        type("typed\r");

        awaitScreen("got typed");
        assertEnded(0);
    }

    @Test
    void aShellIsUsableAndControlCGoesToItsProgram() throws Exception {
        run("bash", "--norc");
        type("echo $((40+2)); sleep 100; echo rc $?\r");
        awaitScreen("42");
        await().atMost(LIMIT)
                .until(() -> ProcFs.marked(mark).stream()
                        .anyMatch(pid -> ProcFs.commandLine(pid).equals(List.of("sleep", "100"))));

        type("\u0003");
        type("echo still $((50+5))\r");
        awaitScreen("still 55");
        type("exit 5\r");

        assertEnded(5);
    }

    @Test
    void aProgramGetsKeysAsTheyAreAndTheSizeOfTheWindow() throws Exception {
        run(
                "sh",
                "-c",
                "stty raw -echo; " + READY + "dd bs=1 count=4 2>/dev/null | od -An -tx1; stty sane; trap 'stty size;"
                        + " exit 0' WINCH; echo armed; " + FOREVER);
        awaitScreen("ready");
        type("\u001b[A\u0003");
        awaitScreen("1b 5b 41 03");
        awaitScreen("armed");

        terminal.resize(120, 44);

        awaitScreen("44 120");
        assertEnded(0);
    }

    @Test
    void aLostConnectionIsNotNoticed() throws Exception {
        run("sh", "-c", READY + "while read line; do echo got $line; test $line = end && exit 3; done");
        awaitScreen("ready");
        for (int i = 0; i < 3; i++) {
            boolean unused = link.trouble(UnreliableLink.Trouble.CUT, new Random(1));
            type("line" + i + "\r");
            awaitScreen("got line" + i);
        }
        type("end\r");

        assertEnded(3);
        assertThat(screen.toString()).doesNotContain("Error");
    }

    @Test
    void c01_aJobInTheBackgroundOfItsTerminalIsNotStopped() throws Exception {
        runBehind("timeout 100 ", "", "sh", "-c", "echo hi; exit 6");
        awaitScreen("hi");
        assertEnded(6);
    }

    @Test
    void c01_aJobInTheBackgroundWithItsOutputInAPipeIsNotStopped() throws Exception {
        runBehind("set -o pipefail; timeout 100 ", " | cat", "sh", "-c", "echo hi; exit 6");
        awaitScreen("hi");
        assertEnded(6);
    }

    @Test
    void c01_timeoutEndsAJobInTheBackground() throws Exception {
        runBehind("timeout 4 ", "", "sleep", "1000");
        assertEnded(124);
    }

    @Test
    void c01_timeoutEndsAJobThatMustNotWriteInTheBackground() throws Exception {
        runBehind("stty tostop; timeout 9 ", "; stty -tostop", "sh", "-c", "echo ready; sleep 1000");
        assertEnded(0);
        assertThat(screen.toString()).doesNotContain("ready");
    }

    @Test
    void aJobInTheBackgroundWritesLinesAsTheTerminalDoes() throws Exception {
        runBehind("timeout 100 ", "", "sh", "-c", "echo hi");
        assertEnded(0);
        assertThat(screen.toString()).contains("hi\r\n").doesNotContain("\r\r");
    }

    @Test
    void c02_aJobThatWasStoppedIsRawAgainWhenItIsContinued() throws Exception {
        terminal = client.start(ProcessSpec.of("bash", "--norc", "-i")
                .cwd(directory.toString())
                .env(Map.of("PS1", "local$ "))
                .tty(100, 30));
        Thread unused = Thread.ofVirtual().start(this::watch);
        awaitScreen("local$ ");
        type("tty >device; " + command("bash", "--norc", "-i") + "\r");
        type("PS1='remote''# '\r");
        awaitScreen("remote# ");

        type("kill -TSTP $(pgrep -f " + mark + " -o | head -1)\r");
        awaitScreen("Stopped");
        type("echo $((40+1)) settings; stty -a\r");
        awaitScreen("41 settings");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(screen.toString()).contains(" icanon"));

        type("fg\r");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(settings()).contains("-icanon", "-echo ", "-isig"));
        type("sleep 1000\r");
        await().atMost(LIMIT)
                .until(() -> ProcFs.marked(mark).stream()
                        .anyMatch(pid -> ProcFs.commandLine(pid).equals(List.of("sleep", "1000"))));
        type("\u0003");
        type("echo alive $((50+5)) \"$PS1\"\r");
        awaitScreen("alive 55 remote# ");
        type("exit\r");
        type("exit\r");
    }

    @Test
    void aServerThatWasKilledIsSaidAndTheTerminalIsAsBefore() throws Exception {
        run("sh", "-c", READY + FOREVER);
        awaitScreen("ready");
        int port = server.port();

        server.killHard();
        // A new one knows nothing of the session, which is final; without one it would be tried for 45 seconds.
        server = ServerProcess.launched("--listen", "ws://127.0.0.1:" + port);
        assertThat(server.port()).isEqualTo(port);

        awaitScreen("Error: ");
        assertEnded(255);
    }

    /** Starts the client on a terminal of 100 x 30, between two looks at the settings of that terminal. */
    private void run(String... argv) throws InterruptedException {
        runBehind("", "", argv);
    }

    private void runBehind(String before, String behind, String... argv) throws InterruptedException {
        String script = "stty -a >before; tty >device; " + before + command(argv) + behind
                + "; echo status $? >status; stty -a >after; echo over";
        terminal = client.start(
                ProcessSpec.of("bash", "-c", script).cwd(directory.toString()).tty(100, 30));
        Thread unused = Thread.ofVirtual().start(this::watch);
    }

    private String command(String... argv) {
        List<String> line =
                new ArrayList<>(List.of("run", "--url", "ws://127.0.0.1:" + link.port(), "--env", "MARK=" + mark));
        line.addAll(options);
        line.add("--tty");
        line.add("--");
        line.addAll(List.of(argv));
        return ServerCommand.of(line).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private void watch() {
        try {
            terminal.forEachEvent(event -> {
                if (event instanceof ProcessEvent.Output output) {
                    var chunk = output.chunk();
                    screen.append(new String(chunk.buffer(), chunk.offset(), chunk.length(), UTF_8));
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void type(String keys) throws InterruptedException {
        terminal.write(keys.getBytes(UTF_8));
    }

    private void awaitScreen(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(screen.toString()).contains(text));
    }

    private String settings() throws IOException, InterruptedException {
        String device = Files.readString(directory.resolve("device")).strip();
        Process stty = new ProcessBuilder("stty", "-a", "-F", device).start();
        String settings = new String(stty.getInputStream().readAllBytes(), UTF_8);
        assertThat(stty.waitFor()).isZero();
        return settings;
    }

    private void assertEnded(int status) throws IOException {
        awaitScreen("over\r\n");
        assertThat(directory.resolve("status")).hasContent("status " + status);
        String size = "rows \\d+; columns \\d+;";
        assertThat(Files.readString(directory.resolve("after")).replaceAll(size, ""))
                .isEqualTo(Files.readString(directory.resolve("before")).replaceAll(size, ""));
    }
}
