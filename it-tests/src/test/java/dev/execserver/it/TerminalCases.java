package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes on a pseudo terminal, whoever makes it. The server is a session leader without a terminal, the state in which it could catch one (b46). */
@Timeout(60)
abstract class TerminalCases {
    private static final String LONG_TEXT = "x".repeat(20_480);

    private WireClient client;

    /** The server of the class. */
    abstract SharedServer server();

    @BeforeEach
    void connect() {
        client = server().client();
    }

    @Test
    void theDefaultSizeIs24RowsAnd80Columns() {
        assertThat(outputOf(Start.of("stty", "size").tty())).isEqualTo("24 80\r\n");
    }

    @Test
    void theSizeGivenAtTheStartIsThereWhenTheProgramLooks() {
        Start start = Start.of("stty", "size").tty().with("size", Map.of("cols", 132, "rows", 43));

        assertThat(outputOf(start)).isEqualTo("43 132\r\n");
    }

    @Test
    void resizeChangesTheSizeAndSendsSigwinch() {
        RemoteProcess process =
                client.start(Start.bash("trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done")
                        .tty());
        process.awaitText("ready");

        process.send("process/resize", "cols", 101, "rows", 33).result();
        assertThat(process.awaitText("33 101")).endsWith("33 101\r\n");
        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void resizeOfAProcessWithoutATerminalIsRefused() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));

        assertThat(process.send("process/resize", "cols", 100, "rows", 30)
                        .answer()
                        .failed())
                .isTrue();
    }

    @Test
    void controlCTypedIntoTheTerminalInterrupts() {
        RemoteProcess process =
                client.start(Start.shell("echo ready; exec sleep 30").tty());
        process.awaitText("ready");

        assertThat(process.write("\u0003")).isEqualTo("accepted");
        assertThat(process.exited().exitCode()).isEqualTo(130);
    }

    @Test
    void endOfFileTypedIntoTheTerminalEndsCat() {
        RemoteProcess process = client.start(Start.of("cat").tty());
        assertThat(process.write("line\n")).isEqualTo("accepted");
        process.awaitText("line\r\nline\r\n");

        process.write("\u0004");
        assertThat(process.exited().exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "line\n", "line\r", "begun", "line\nbegun"})
    void closingStdinIsTheEndOfFileOnATerminalTooWhateverTheLastLine(String input) {
        RemoteProcess process =
                client.start(Start.shell("cat >/dev/null; echo ended").tty());
        process.write(input);
        process.closeStdin();

        process.awaitText("ended");
        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void aTerminalThatWasClosedAndOpenedAgainIsReadOn() {
        String script = "echo first; exec 0<&- 1>&- 2>&-; sleep 0.3; exec >/dev/tty; seq 1 20000; exit 3";
        RemoteProcess process = client.start(Start.shell(script).tty());

        assertThat(process.exited().exitCode()).isEqualTo(3);
        process.closed();
        assertThat(process.events().output())
                .asString()
                .startsWith("first\r\n1\r\n")
                .endsWith("\r\n20000\r\n");
    }

    @Test
    void outputOfATerminalIsOneStream() {
        RemoteProcess process =
                client.start(Start.shell("echo out; echo err >&2").tty());
        process.closed();

        assertThat(process.events().output("pty")).asString().isEqualTo("out\r\nerr\r\n");
    }

    @Test
    void arg0WorksTheSameOnATerminal() {
        assertThat(outputOf(Start.shell("echo $0").with("arg0", "renamed").tty()))
                .isEqualTo("renamed\r\n");
    }

    @Test
    void aMissingDirectoryIsTheSameErrorOnATerminal() {
        var answer = client.sendStart(Start.of("true").tty().with("cwd", "file:///nonexistent/dir"))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.error().path("data").path("what").asText()).isEqualTo("cwd");
    }

    @Test
    void b05_aThousandQuickProgramsLoseNoOutput() {
        List<RemoteProcess> running = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            running.add(client.start(printing()));
            if (running.size() == 32) {
                running.forEach(TerminalCases::assertComplete);
                running.clear();
            }
        }
        running.forEach(TerminalCases::assertComplete);
    }

    @Test
    void b12_anInteractiveShellEndsWithPipes() {
        RemoteProcess process = client.start(Start.of("bash", "-ic", "echo hi"));

        assertThat(process.exited().exitCode()).isZero();
        process.closed();
        assertThat(process.text()).contains("hi\n");
    }

    @Test
    void b12_anInteractiveShellEndsOnATerminal() {
        RemoteProcess process = client.start(Start.of("bash", "-ic", "echo hi").tty());

        assertThat(process.exited().exitCode()).isZero();
        process.closed();
        assertThat(process.text()).contains("hi\r\n");
    }

    @Test
    void b43_silentTerminalsDoNotStarveTheServer() {
        int terminals = 8 * Runtime.getRuntime().availableProcessors();
        List<RemoteProcess> silent = IntStream.range(0, terminals)
                .mapToObj(i -> client.start(Start.of("sleep", "60").tty()))
                .toList();

        client.assertServed();
        silent.forEach(RemoteProcess::terminate);
        silent.forEach(RemoteProcess::closed);
    }

    @Test
    void b45_eightClientsWithManyTerminalsEachGetEveryRunWhole() throws InterruptedException, ExecutionException {
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            WireClient own = server().client();
            work.add(() -> {
                for (int run = 0; run < 50; run++) {
                    assertComplete(own.start(printing()));
                }
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        }
    }

    @Test
    void b46_theServerNeverAcquiresATerminalAndNeverGetsAHangup() {
        for (int i = 0; i < 50; i++) {
            List<RemoteProcess> four = IntStream.range(0, 4)
                    .mapToObj(n -> client.start(Start.of("true").tty()))
                    .toList();
            four.forEach(RemoteProcess::closed);
        }

        assertThat(ProcFs.stat(server().pid())).hasValueSatisfying(stat -> {
            assertThat(stat.session()).isEqualTo(stat.pid());
            assertThat(stat.terminal()).as("controlling terminal").isZero();
        });
    }

    @Test
    void noTerminalDescriptorStaysOpen() {
        client.start(Start.of("true").tty()).closed();
        OpenFiles before = OpenFiles.of(server().pid());
        IntStream.range(0, 40)
                .mapToObj(i -> client.start(Start.of("true").tty()))
                .toList()
                .forEach(RemoteProcess::closed);

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(2));
    }

    private static Start printing() {
        return Start.of("echo", "-n", LONG_TEXT).tty();
    }

    private static void assertComplete(RemoteProcess process) {
        assertThat(process.closed(Duration.ofSeconds(20)).seq()).isGreaterThan(2);
        assertThat(process.exited().exitCode()).isZero();
        assertThat(process.events().bytes()).isEqualTo(LONG_TEXT.length());
    }

    private String outputOf(Start start) {
        RemoteProcess process = client.start(start);
        process.closed();
        return process.text();
    }

    @Test
    void c09_theEraseKeyTakesAWholeCharacterOfUtf8() {
        RemoteProcess process =
                client.start(Start.shell("echo up; head -n1 | od -An -tx1").tty());
        process.awaitText("up");
        process.write("a\u00e9\u007fX\n");
        process.awaitText("61 58 0a");
        process.closed();
    }

    @Test
    void closeStdinTypesTheEndOfFileCharacterOfTheTerminal() {
        RemoteProcess process = client.start(
                Start.shell("stty eof ^E; echo up; cat; echo ended").tty());
        process.awaitText("up");
        process.write("begun");
        assertThat(process.closeStdin().get("status").textValue()).isEqualTo("accepted");
        process.awaitText("ended");
        assertThat(process.exited().exitCode()).isZero();
        assertThat(process.text()).contains("begunended").doesNotContain("\u0004");
    }

    @Test
    void closeStdinOfATerminalInRawModeSaysThatItCannot() {
        RemoteProcess process = client.start(
                Start.shell("stty raw -echo; echo up; head -c1 | od -An -tx1").tty());
        process.awaitText("up");
        Answer refused = process.send("process/closeStdin").answer();
        assertThat(refused.errorCode()).isEqualTo(-32600);
        assertThat(refused.errorMessage()).contains("raw mode");
        assertThat(refused.error().path("data").path("reason").asText()).isEqualTo("noEndOfFile");
        process.write("k");
        process.awaitText("6b");
    }

    @Test
    void closeStdinEndsAShellThatEditsItsLines() {
        RemoteProcess shell =
                client.start(Start.of("bash", "--norc", "--noprofile", "-i").tty());
        shell.write("echo re''ady\n");
        shell.awaitText("ready");
        shell.closeStdin();
        assertThat(shell.exited().exitCode()).isZero();
    }

    @Test
    void aSignalForTheForegroundReachesTheJobAndNotTheShell() {
        RemoteProcess shell =
                client.start(Start.of("bash", "--norc", "--noprofile", "-i").tty());
        shell.write("sh -c 'trap \"echo CA\"\"UGHT; exit 4\" USR1; echo re''ady; while :; do sleep 0.05; done'\n");
        shell.awaitText("ready");
        shell.send("process/signal", "signal", "USR1", "foreground", true).result();
        shell.awaitText("CAUGHT");
        shell.write("echo code=$?; exit 5\n");
        shell.awaitText("code=4");
        assertThat(shell.exited().exitCode()).isEqualTo(5);
    }

    @Test
    void aSignalForTheForegroundInASandboxSparesTheShellToo() {
        RemoteProcess shell = client.start(Start.of("bash", "--norc", "--noprofile", "-i")
                .tty()
                .with("sandbox", Policies.workspaceWrite(Path.of("/tmp"))));
        shell.write("sh -c 'trap \"echo CA\"\"UGHT; exit 4\" USR1; echo re''ady; while :; do sleep 0.05; done'\n");
        shell.awaitText("ready");
        shell.send("process/signal", "signal", "USR1", "foreground", true).result();
        shell.awaitText("CAUGHT");
        shell.write("echo code=$?; exit 5\n");
        shell.awaitText("code=4");
        assertThat(shell.exited().exitCode()).isEqualTo(5);
    }

    @Test
    void withoutATerminalThereIsNoForeground() {
        RemoteProcess process = client.start(Start.of("sleep", "60"));
        Answer refused = process.send("process/signal", "signal", "INT", "foreground", true)
                .answer();
        assertThat(refused.errorCode()).isEqualTo(-32600);
        assertThat(refused.errorMessage()).contains("has no terminal");
        process.terminate();
    }
}
