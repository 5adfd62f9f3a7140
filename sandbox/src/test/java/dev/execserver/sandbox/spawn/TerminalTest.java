package dev.execserver.sandbox.spawn;

import static dev.execserver.sandbox.spawn.ProcessFixture.finish;
import static dev.execserver.sandbox.spawn.ProcessFixture.inParallel;
import static dev.execserver.sandbox.spawn.ProcessFixture.onVirtualThread;
import static dev.execserver.sandbox.spawn.ProcessFixture.readUntil;
import static dev.execserver.sandbox.spawn.ProcessFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.ProcessFixture.Outcome;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TerminalTest {
    private static final int BLOCK = 20_480;
    private static final String SAY_BLOCK = "echo -n " + "x".repeat(BLOCK);

    private static ProcessFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new ProcessFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void theChildHasAControllingTerminalOfTheGivenSize() {
        PtyPair pair = fixture.ptys.open(33, 111);

        Outcome outcome = finish(fixture.shellOnTerminal(pair, "tty; stty size; ps -o tty=,tpgid=,pid= -p $$; exit 4"));

        String name = pair.slavePath().substring("/dev/".length());
        String[] lines = outcome.out().split("\r\n", -1);
        assertThat(lines[0]).isEqualTo(pair.slavePath());
        assertThat(lines[1]).isEqualTo("33 111");
        String[] fields = lines[2].strip().split(" +", -1);
        assertThat(fields[0]).isEqualTo(name);
        assertThat(fields[1]).as("foreground group").isEqualTo(fields[2]);
        assertThat(outcome.status().code()).isEqualTo(4);
    }

    @Test
    void inputIsEchoedAndReadWhileAReaderWaits() {
        PtyPair pair = fixture.ptys.open(24, 80);
        Child child = fixture.shellOnTerminal(pair, "read line; echo got $line");
        FutureTask<String> reading = new FutureTask<>(() -> readUntil(child.stdout(), "got hello"));
        Thread.ofVirtual().start(reading);

        write(child.stdin().orElseThrow(), "hello\n");

        assertThat(ProcessFixture.join(reading)).startsWith("hello\r\n");
        finish(child);
    }

    @Test
    void readerAndWriterOfOneMasterWaitAtTheSameTime() {
        PtyPair pair = fixture.ptys.open(24, 80);
        // Raw and without echo, so that input piles up until the program reads it.
        Child child = fixture.shellOnTerminal(pair, "stty raw -echo; echo ready; head -c 300000 | wc -c");
        readUntil(child.stdout(), "ready");
        Thread writer = Thread.ofVirtual().start(() -> write(child.stdin().orElseThrow(), "y".repeat(300_000)));

        String out = onVirtualThread(() -> readUntil(child.stdout(), "300000"));

        assertThat(out).contains("300000");
        onVirtualThread(() -> writer.join(java.time.Duration.ofSeconds(20)));
        assertThat(writer.isAlive()).isFalse();
        finish(child);
    }

    @Test
    void resizingSendsSigwinch() {
        PtyPair pair = fixture.ptys.open(24, 80);
        Child child = fixture.shellOnTerminal(
                pair, "trap 'stty size; exit 6' WINCH; echo ready; while :; do read x || :; done");
        readUntil(child.stdout(), "ready");

        pair.resize(50, 132);

        assertThat(readUntil(child.stdout(), "50 132")).contains("50 132");
        assertThat(finish(child).status().code()).isEqualTo(6);
    }

    @Test
    void controlCInterruptsTheForegroundGroup() {
        Child child = fixture.shellOnTerminal(fixture.ptys.open(24, 80), "echo ready; exec sleep 100");
        readUntil(child.stdout(), "ready");

        write(child.stdin().orElseThrow(), "\u0003");

        assertThat(finish(child).status().signal()).isEqualTo(ProcessCalls.SIGINT);
    }

    @Test
    void closingTheMasterHangsUp() {
        Child child = fixture.shellOnTerminal(fixture.ptys.open(24, 80), "echo ready; exec sleep 100");
        readUntil(child.stdout(), "ready");

        child.closeStreams();

        assertThat(child.awaitExit().signal()).isEqualTo(ProcessCalls.SIGHUP);
    }

    @Test
    void b05_outputWrittenJustBeforeTheExitIsComplete() {
        for (int i = 0; i < 200; i++) {
            Outcome outcome = fixture.runOnTerminal(SAY_BLOCK);
            assertThat(outcome.out()).hasSize(BLOCK);
            assertThat(outcome.status().code()).isZero();
        }
    }

    @Test
    void b45_manyTerminalsOpenedAndClosedAtOnceDoNotDisturbEachOther() {
        inParallel(8, () -> {
            for (int i = 0; i < 40; i++) {
                Outcome outcome = fixture.runOnTerminal(SAY_BLOCK);
                assertThat(outcome.out()).hasSize(BLOCK);
                assertThat(outcome.status().code()).isZero();
            }
            return null;
        });
    }

    @Test
    void theBacklogCoversWhatTheKernelKeepsOnItsWayToTheReader() {
        Child child = fixture.shellOnTerminal(fixture.ptys.open(24, 80), "exec yes");
        // It sleeps with the first of two buffers full and waits for room.
        await().until(() -> child.stdout().backlog() > 20_000 && state(child) == 'S');
        child.signal(ProcessCalls.SIGSTOP);
        await().until(() -> state(child) == 'T');

        int backlog = child.stdout().backlog();
        int there = ProcessFixture.readWhatIsThere(child.stdout());

        assertThat(there).isGreaterThan(4096).isLessThanOrEqualTo(backlog);
        child.signal(ProcessCalls.SIGKILL);
        finish(child);
    }

    @Test
    void b46_theServerNeverAcquiresAControllingTerminal() {
        int self = ProcessCalls.ownPid();
        int before = ProcFiles.stat(self).orElseThrow().terminal();

        for (int i = 0; i < 200; i++) {
            fixture.ptys.open(24, 80).close();
        }

        assertThat(ProcFiles.stat(self).orElseThrow().terminal()).isEqualTo(before);
    }

    private static char state(Child child) {
        return ProcFiles.stat(child.pid()).orElseThrow().state();
    }
}
