package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static dev.execserver.client.Clients.options;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.ObserveResult;
import dev.execserver.protocol.session.SessionInfo;
import dev.execserver.protocol.session.SessionListResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that are found and observed, and conditions that are waited for. */
@Timeout(60)
class ObserversTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeServer server =
            new FakeServer(Era.OURS, "push", "session/list", "session/observe", "process/wait", "sessionName");

    private static ObserveResult sight(long seq, long offset, String text, boolean closed) {
        List<OutputChunk> chunks =
                text.isEmpty() ? List.of() : List.of(new OutputChunk(seq, StreamKind.STDOUT, text.getBytes(UTF_8)));
        OptionalInt code = closed ? OptionalInt.of(0) : OptionalInt.empty();
        return new ObserveResult(
                offset,
                offset + text.length(),
                new ReadResult(
                        chunks,
                        seq + 1,
                        closed,
                        code,
                        closed,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        ExitDetails.NONE));
    }

    @Test
    void theNameOfTheSessionIsSent() throws Exception {
        try (ExecServerClient client = connect(server, options().sessionName("build"))) {
            assertThat(server.log().getFirst()).contains("\"sessionName\":\"build\"");
            SessionInfo row = new SessionInfo("s", Optional.of("build"), "test", true, true, 1, 2, List.of());
            server.answerNext("session/list", new SessionListResult(List.of(row)));
            assertThat(client.sessions().list()).containsExactly(row);
        }
    }

    @Test
    void anObserverGoesOnWhereItWasAndLearnsWhatItHasMissed() throws Exception {
        server.answerNext(
                "session/observe", sight(4, 30, "four", false), sight(9, 134, "nine", false), sight(11, 138, "", true));
        try (ExecServerClient client = connect(server)) {
            ProcessObserver observer = client.sessions().observer("s", "p", Backlog.watching(4));
            ProcessObserver.Sight first = observer.next(SECOND);
            assertThat(first.skippedBytes()).isEqualTo(30);
            assertThat(first.output().chunks()).hasSize(1);
            assertThat(observer.next(SECOND).skippedBytes()).isEqualTo(100);
            assertThat(observer.ended()).isFalse();
            assertThat(observer.next(SECOND).output().exitCode()).hasValue(0);
            assertThat(observer.ended()).isTrue();
            assertThat(server.log())
                    .filteredOn(line -> line.startsWith("session/observe"))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("\"afterSeq\":0,\"lastBytes\":4,\"waitMs\":0"),
                            line -> assertThat(line).contains("\"afterSeq\":4,\"lastBytes\":262144,\"waitMs\":1000"),
                            line -> assertThat(line).contains("\"afterSeq\":9"));
        }
    }

    @Test
    void aProcessIsWaitedForInOneCall() throws Exception {
        WaitResult met = new WaitResult(
                true,
                false,
                OptionalInt.empty(),
                false,
                Optional.of("ready"),
                OptionalLong.of(3),
                OptionalLong.empty());
        server.answerNext("process/wait", met);
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            assertThat(process.waitFor(new WaitCondition.OutputText("ready"), SECOND))
                    .isEqualTo(met);
            assertThat(server.log())
                    .anyMatch(line -> line.startsWith("process/wait")
                            && line.contains("\"until\":{\"text\":\"ready\"}")
                            && line.contains("\"limitMs\":1000"));
        }
    }

    @Test
    void aServerThatKnowsNoneOfItIsNotAsked() throws Exception {
        FakeServer older = new FakeServer(Era.OURS);
        try (ExecServerClient client = connect(older)) {
            assertThatThrownBy(() -> client.sessions().list()).isInstanceOf(UnsupportedFeatureException.class);
            assertThatThrownBy(() ->
                            client.sessions().observer("s", "p", Backlog.ALL).next(SECOND))
                    .isInstanceOf(UnsupportedFeatureException.class);
        }
    }
}
