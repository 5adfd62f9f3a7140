package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Tmux;
import dev.execserver.it.support.UnreliableLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys of {@code run} and {@code attach}, what they say while the line is down, and the terminal that they leave behind. */
@Timeout(180)
class RunKeysIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PREFIX = "\u001d";

    /** Sets modes as a full-screen program does. */
    private static final String FULL_SCREEN =
            "printf '\\033[?1049h\\033[?1003;1006;2004h\\033[?25l\\033[?1h\\033=\\033[31mfull screen'; ";

    @TempDir
    private Path directory;

    private ServerProcess server;
    private UnreliableLink link;
    private Tmux terminal;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.listening();
        link = UnreliableLink.to(server.port());
        terminal = Tmux.start(directory);
    }

    @AfterEach
    void end() throws Exception {
        terminal.close();
        link.close();
        server.close();
    }

    private void enter(String command, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(command, "--url", "ws://127.0.0.1:" + link.port()));
        line.addAll(List.of(words));
        terminal.enter(ServerCommand.of(line));
    }

    private Program direct(String command, String... words) throws Exception {
        List<String> line =
                new ArrayList<>(List.of(command, "--url", server.url().toString()));
        line.addAll(List.of(words));
        return Program.run(directory, "", line.toArray(String[]::new));
    }

    private String running() throws Exception {
        return direct("ps", "-q").out();
    }

    @Test
    void detachLeavesTheProgramRunningAndAttachGoesOn() throws Exception {
        Path flag = directory.resolve("flag");
        enter(
                "run",
                "--name",
                "work",
                "--",
                "sh",
                "-c",
                "echo ready; while [ ! -e " + flag + " ]; do sleep 0.1; done; echo over; exit 4");
        terminal.awaitText("ready");

        terminal.type(PREFIX + "?");
        terminal.awaitText("Ctrl-] d: leave it running; Ctrl-] q: end it; Ctrl-] Ctrl-]: send Ctrl-]");
        terminal.type(PREFIX + "d");

        terminal.awaitText("left running; `exec-server attach work` goes on with it");
        terminal.awaitStatus(0);
        assertThat(direct("ps").out()).contains(" work ", " detached ");
        enter("attach", "work");
        terminal.awaitText("ready");
        Files.createFile(flag);
        terminal.awaitText("over");
        terminal.awaitStatus(4);
    }

    @Test
    void quitEndsTheProgram() throws Exception {
        enter("run", "--", "sh", "-c", "trap 'echo hung up; exit 9' HUP; echo ready; while :; do sleep 0.1; done");
        terminal.awaitText("ready");

        terminal.type(PREFIX + "q");

        terminal.awaitText("hung up");
        terminal.awaitStatus(9);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(running()).isEmpty());
    }

    @Test
    void thePrefixTwiceReachesTheProgramAndAnotherPrefixIsChosen() throws Exception {
        enter(
                "run",
                "--escape",
                "ctrl-a",
                "--",
                "sh",
                "-c",
                "stty raw -echo; echo ready; dd bs=1 count=4 2>/dev/null | od -An -tx1");
        terminal.awaitText("ready");
        terminal.type(PREFIX + "d" + "\u0001\u0001" + "x");
        terminal.awaitText("1d 64 01 78");
        terminal.awaitStatus(0);
    }

    @Test
    void theTerminalOfAFullScreenProgramIsPutBackWhateverEndsTheClient() throws Exception {
        String program = FULL_SCREEN + "while :; do sleep 0.1; done";
        enter("run", "--name", "full", "--", "sh", "-c", program);
        terminal.awaitText("full screen");
        terminal.awaitModes();
        terminal.type(PREFIX + "d");
        terminal.awaitText("left running");
        terminal.awaitStatus(0);
        terminal.awaitNoModes();

        enter("attach", "full");
        terminal.awaitText("full screen");
        terminal.awaitModes();
        Program.Running other = Program.start(
                directory, "attach", "--takeover", "--url", server.url().toString(), "full");
        terminal.awaitText("session has been resumed by another");
        terminal.awaitStatus(255);
        terminal.awaitNoModes();
        other.signal("TERM");

        enter("run", "--name", "second", "--", "sh", "-c", program);
        terminal.awaitText("full screen");
        terminal.awaitModes();
        server.killHard();
        server = ServerProcess.launched("--listen", "ws://127.0.0.1:" + server.port());
        terminal.awaitText("is gone, and its processes with it");
        terminal.awaitNoModes();
        terminal.awaitStatus(255);
    }

    @Test
    void aProgramThatEndsWithoutCleaningUpLeavesTheTerminalClean() throws Exception {
        enter("run", "--", "sh", "-c", FULL_SCREEN + "exit 3");
        terminal.awaitNoText("full screen");
        terminal.awaitStatus(3);
        terminal.awaitNoModes();
    }

    @Test
    void aLostLineIsToldAndKeysAreObeyedAndTypedInputArrivesLater() throws Exception {
        enter("run", "--name", "line", "--", "sh", "-c", "echo ready; while read x; do echo got $x; done");
        terminal.awaitText("ready");

        link.down(true);

        terminal.awaitText("connection lost, 2 s, trying again; Ctrl-] d leaves");
        terminal.type("typed\r");
        terminal.awaitText("6 bytes typed wait");
        link.down(false);
        terminal.awaitText("got typed");
        terminal.awaitNoText("connection lost");

        link.down(true);
        terminal.awaitText("connection lost");
        terminal.type(PREFIX + "q");
        terminal.awaitText("the server does not answer, so the program could not be ended");
        terminal.awaitText("Should the program still run: exec-server attach line");
        terminal.awaitStatus(255);
        assertThat(running()).endsWith("/run\n");
    }

    @Test
    void aLostLineIsDrawnOverAFullScreenAndTheProgramDrawsItAgain() throws Exception {
        enter(
                "run",
                "--",
                "sh",
                "-c",
                "trap 'printf \"\\033[2J\\033[1;1Hdrawn again\"' WINCH; " + FULL_SCREEN
                        + "while :; do sleep 0.1; done");
        terminal.awaitText("full screen");
        link.down(true);
        terminal.awaitText("connection lost, ");
        link.down(false);
        terminal.awaitText("drawn again");
        terminal.awaitNoText("connection lost");
        terminal.type(PREFIX + "q");
        terminal.awaitNoModes();
    }

    @Test
    void aServerThatEndsIsNotTriedAgain() throws Exception {
        enter("run", "--", "sh", "-c", "echo ready; while :; do sleep 0.1; done");
        terminal.awaitText("ready");
        server.close();
        terminal.awaitStatus(137); // the end of the program is told before the connection ends
        assertThat(terminal.screen()).doesNotContain("trying again", "Should the program");
    }
}
