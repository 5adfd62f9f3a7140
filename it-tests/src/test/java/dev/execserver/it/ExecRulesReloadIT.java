package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changed files of the operator's rules are read again. */
@Timeout(120)
class ExecRulesReloadIT {
    private static final String NO_ID = "prefix_rule([\"id\"], \"forbidden\")\n";
    private static final String NO_UNAME = "prefix_rule([\"uname\"], \"forbidden\")\n";

    @TempDir
    private Path folder;

    private ServerProcess server;
    private WireClient client;

    @BeforeEach
    void start() {
        write("a.rules", NO_ID);
        server = ServerProcess.listening("--log-level", "info", "--exec-rules", folder.toString());
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean runs(String program) {
        RemoteProcess process = client.start(Start.shell("env " + program));
        return process.exited().exitCode() == 0;
    }

    private void awaitRuns(String program, boolean expected) {
        await().atMost(Duration.ofSeconds(60)).until(() -> runs(program) == expected);
    }

    @Test
    void aChangedFileAndANewOneHoldForLaterCommands() {
        assertThat(runs("id")).isFalse();
        assertThat(runs("uname")).isTrue();

        write("a.rules", "");
        write("b.rules", NO_UNAME);

        awaitRuns("uname", false);
        assertThat(runs("id")).isTrue();
        server.awaitStderr("the changed files of --exec-rules are in force: 1 rules");
    }

    @Test
    void theyHoldForACommandThatRunsAlready() {
        RemoteProcess process = client.start(
                Start.shell("while env uname >/dev/null 2>&1; do sleep 0.1; done; env uname >/dev/null; echo $?"));

        write("b.rules", NO_UNAME);

        process.closed(Duration.ofSeconds(60));
        assertThat(process.text()).endsWith("126\n");
    }

    @Test
    void aBrokenFileLeavesTheLastGoodRulesInForceAndTheLogSaysSo() {
        write("b.rules", "prefix_rule([])");

        server.awaitStderr("the rules that were read before stay in force: --exec-rules: failed to parse policy at "
                + folder.resolve("b.rules"));

        assertThat(runs("id")).isFalse();
        write("b.rules", NO_UNAME);
        awaitRuns("uname", false);
    }

    @Test
    void filesThatAreGoneLeaveTheLastGoodRulesInForce() throws IOException {
        Files.delete(folder.resolve("a.rules"));

        server.awaitStderr(
                "the rules that were read before stay in force: --exec-rules " + folder + " has no file *.rules");

        assertThat(runs("id")).isFalse();
    }
}
