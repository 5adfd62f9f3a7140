package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.SessionInfo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Finding sessions, and what the commands do with those that are found. */
@Timeout(30)
class PeopleCommandsTest {
    private final FakeHost host = new FakeHost();
    private final FakeTerminal terminal = new FakeTerminal();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private static ProcessInfo process(String id, boolean running) {
        return new ProcessInfo(
                        id,
                        OptionalLong.of(17),
                        List.of("make", "\u001b[31mall"),
                        PathUri.ofNative("/"),
                        false,
                        running,
                        false,
                        !running,
                        running ? OptionalInt.empty() : OptionalInt.of(2),
                        !running,
                        1,
                        System.currentTimeMillis(),
                        OptionalLong.of(12_345),
                        OptionalLong.empty())
                .withCpuMs(OptionalLong.of(61_000));
    }

    private static SessionInfo session(String id, String name, boolean attached, ProcessInfo... processes) {
        return new SessionInfo(id, Optional.ofNullable(name), "test", false, attached, 1, 1, Arrays.asList(processes));
    }

    private static ProcessObserver.Sight sight(long skipped, boolean closed, String... chunks) {
        return sight(skipped, Optional.empty(), closed, chunks);
    }

    private static ProcessObserver.Sight sight(
            long skipped, Optional<ReadResult.Dropped> dropped, boolean closed, String... chunks) {
        List<OutputChunk> all = Arrays.stream(chunks)
                .map(text -> new OutputChunk(1, StreamKind.STDOUT, text.getBytes(UTF_8)))
                .toList();
        return new ProcessObserver.Sight(
                skipped,
                new ReadResult(
                        all,
                        2,
                        closed,
                        closed ? OptionalInt.of(0) : OptionalInt.empty(),
                        closed,
                        Optional.empty(),
                        false,
                        dropped,
                        Optional.empty(),
                        ExitDetails.NONE));
    }

    private int run(String command, String... words) {
        Console console = new Console(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1"));
        Arguments arguments =
                Arguments.read(ClientRun.usage(command), List.of(words)).orElseThrow();
        return new ClientRun(host::connect, terminal, console).run(command, arguments);
    }

    @Test
    void aProcessIsFoundByTheNameTheIdOrTheBeginOfTheId() {
        List<SessionInfo> sessions = List.of(
                session("aaaa-1", "build", true, process("run", true)),
                session("aaaa-2", null, true, process("p", true), process("q", false)),
                session("bbbb-1", "twice", true, process("a", true), process("b", true)));
        assertThat(FoundProcess.of(sessions, "build").process().processId()).isEqualTo("run");
        assertThat(FoundProcess.of(sessions, "aaaa-2").process().processId())
                .as("the one that runs")
                .isEqualTo("p");
        assertThat(FoundProcess.of(sessions, "aaaa-2/q").process().processId()).isEqualTo("q");
        assertThat(FoundProcess.of(sessions, "bbbb/b").session().sessionId()).isEqualTo("bbbb-1");
        refused(sessions, "aaaa", "`aaaa` stands for 2 sessions: aaaa-1, aaaa-2; give an id");
        refused(sessions, "twice", "the session has 2 processes; write SESSION/PROCESS_ID with one of a, b");
        refused(sessions, "twice/c", "the session has no process `c`");
        refused(sessions, "bbb", "no session is found by `bbb`; `exec-server ps --all` lists them");
    }

    private static void refused(List<SessionInfo> sessions, String text, String message) {
        assertThatThrownBy(() -> FoundProcess.of(sessions, text))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void theTableIsHarmlessAndSaysWhatRuns() {
        host.sessions.add(session("12345678-9", "build", false, process("run", true), process("old", false)));
        assertThat(run("ps")).isZero();
        assertThat(out.toString(UTF_8).lines().skip(1))
                .singleElement()
                .asString()
                .matches("12345678 +build +detached +run +running +0:0\\d +1:01 +12kB +make .*all")
                .doesNotContain("\u001b");
        out.reset();
        assertThat(run("ps", "--all", "--ids")).isZero();
        assertThat(out).hasToString("12345678-9/run\n12345678-9/old\n");
    }

    @Test
    void theLastLinesAreCutAndFollowed() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        host.sights.add(sight(2_000, false)); // says where the output ends
        host.sights.add(sight(1_000, false, "one\ntw", "o\nthree\n"));
        host.sights.add(sight(0, false));
        host.sights.add(sight(0, false, "four\n"));
        host.sights.add(sight(7, true, "last"));
        assertThat(run("logs", "-f", "-n", "2", "build")).isZero();
        assertThat(terminal.output).hasToString("two\nthree\nfour\nlast");
        assertThat(err).hasToString("7 bytes of output are not kept any more\n");
    }

    @Test
    void moreOfTheEndIsLookedAtWhereTheLinesAreLong() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        host.sights.add(sight(2_000, true));
        host.sights.add(sight(1_000, true, "long line"));
        host.sights.add(sight(2_000, true));
        host.sights.add(sight(0, true, "first\nlong line\n"));
        assertThat(run("logs", "-n", "1", "build")).isZero();
        assertThat(terminal.output).hasToString("long line\n");
    }

    @Test
    void moreOfTheEndIsLookedAtAlsoWhereSomeOutputIsNotKept() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        Optional<ReadResult.Dropped> dropped = Optional.of(new ReadResult.Dropped(2, 500));
        host.sights.add(sight(2_000, dropped, true));
        host.sights.add(sight(1_000, dropped, true, "line\n"));
        host.sights.add(sight(2_000, dropped, true));
        host.sights.add(sight(500, dropped, true, "long line\n"));
        assertThat(run("logs", "-n", "1", "build")).isZero();
        assertThat(terminal.output).hasToString("long line\n");
    }

    @Test
    void theLastLinesEndWhereTheOutputEndedAtTheBegin() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        host.sights.add(sight(2_000, false));
        host.sights.add(sight(1_000, false, "one\ntwo\n"));
        host.sights.add(sight(0, false, "three\n"));
        assertThat(run("logs", "-n", "1", "build")).isZero();
        assertThat(terminal.output).hasToString("two\n");
        assertThat(host.sights).hasSize(1);
    }

    @Test
    void waitAsksAgainUntilTheEnd() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        WaitResult notYet = new WaitResult(
                false, false, OptionalInt.empty(), false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
        host.waits.add(notYet);
        host.waits.add(notYet);
        host.waits.add(new WaitResult(
                true, true, OptionalInt.of(9), true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty()));
        assertThat(run("wait", "build")).isEqualTo(9);
        host.waits.add(new WaitResult(
                false, true, OptionalInt.of(0), true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty()));
        assertThat(run("wait", "--port", "80", "build")).isEqualTo(1);
        assertThat(err).hasToString("the program has ended before\n");
        assertThat(host.calls).filteredOn(call -> call.startsWith("await")).hasSize(4);
    }

    @Test
    void waitForATextGoesOnWhileOutputDoes() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        OptionalInt code = OptionalInt.of(0);
        host.waits.add(
                new WaitResult(false, true, code, false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty()));
        host.waits.add(
                new WaitResult(true, true, code, false, Optional.of("x"), OptionalLong.of(3), OptionalLong.empty()));
        assertThat(run("wait", "--text", "x", "build")).isZero();
        host.waits.add(
                new WaitResult(false, true, code, true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty()));
        assertThat(run("wait", "--text", "x", "build")).isEqualTo(1);
        assertThat(err).hasToString("the program has ended before\n");
    }

    @Test
    void attachLooksAtASessionThatAClientHas() {
        host.sessions.add(session("12345678-9", "build", true, process("run", true)));
        host.sights.add(sight(1_000, false, "seen\n"));
        host.sights.add(sight(0, true));
        assertThat(run("attach", "build")).isZero();
        assertThat(terminal.output).hasToString("seen\n");
        assertThat(host.calls).doesNotContain("attach run").contains("end session");
        assertThat(err).hasToString("another client has this session: you only look; --takeover takes it\n");
    }
}
