package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.StdinClosedException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.OutputGapException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.RpcException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteProcessTest {

    private final FakeServer server = new FakeServer(Era.OURS, "push", "process/closeStdin");
    private ExecServerClient client;
    private RemoteProcess process;

    @BeforeEach
    void start() throws InterruptedException {
        client = connect(server);
        process = client.start(ProcessSpec.of("x").processId("p").stdin().bufferBytes(1000));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void c12_whatHasComeCanBeSeenBeforeItIsRead() throws Exception {
        InputStream out = process.stdout();
        BufferedReader lines = new BufferedReader(new InputStreamReader(process.stderr(), UTF_8));
        assertThat(out.available()).isZero();
        assertThat(lines.ready()).isFalse();
        server.output("p", StreamKind.STDOUT, "abc");
        server.output("p", StreamKind.STDERR, "line\n");
        await().until(() -> out.available() == 3);
        await().until(lines::ready);
        assertThat(lines.readLine()).isEqualTo("line");
        server.output("p", StreamKind.STDOUT, "de");
        await().until(() -> out.available() == 5);
        assertThat(out.readNBytes(5)).isEqualTo("abcde".getBytes(UTF_8));
        server.exit("p", 0, false);
        server.close("p");
        assertThat(out.read()).isEqualTo(-1);
        assertThat(out.available()).isZero();
    }

    @Test
    void c105_anAnswerWithMoreOutputThanWasAskedForLosesTheProcess() throws Exception {
        int most = (4 << 20) + 1_000; // the buffer has 1,000 bytes
        server.output("p", StreamKind.STDOUT, "x".repeat(most));
        assertThat(process.nextEvent()).containsInstanceOf(ProcessEvent.Output.class);
        server.output("p", StreamKind.STDOUT, "x".repeat(most + 1));
        assertThat(process.nextEvent())
                .contains(new ProcessEvent.Lost("the server sends 4195305 bytes of output where 1000 were asked for"));
    }

    @Test
    void theReaderOfOneStreamDoesNotWaitForTheReaderOfTheOther() throws Exception {
        InputStream out = process.stdout();
        InputStream err = process.stderr();
        String large = "e".repeat(300 << 10);
        server.output("p", StreamKind.STDERR, large);
        server.output("p", StreamKind.STDERR, large);
        server.output("p", StreamKind.STDOUT, "1");
        server.output("p", StreamKind.STDERR, "tail");
        server.output("p", StreamKind.STDOUT, "2");
        assertThat(read(out)).isEqualTo('1');
        assertThat(read(out)).isEqualTo('2');
        assertThat(err.readNBytes(600 << 10)).hasSize(600 << 10);
        assertThat(err.readNBytes(4)).asString().isEqualTo("tail");
    }

    @Test
    void aProcessThatWasClosedTakesNoInput() throws Exception {
        process.write("before".getBytes(UTF_8));
        process.close();

        assertThatThrownBy(() -> process.write("after".getBytes(UTF_8)))
                .isInstanceOf(StdinClosedException.class)
                .hasMessage("process p takes no input: it was closed by this client");
    }

    @Test
    void aRelativeWorkingDirectoryIsRefusedWhereItIsSaid() {
        assertThatThrownBy(() -> ProcessSpec.of("x").cwd("rel"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("`rel` is no working directory: path must be absolute");
    }

    @Test
    void closingAStreamDiscardsIt() throws Exception {
        process.stderr().close();
        server.output("p", StreamKind.STDERR, "e".repeat(3 << 20));
        server.output("p", StreamKind.STDOUT, "out");
        server.exit("p", 0, false);
        server.close("p");
        assertThat(process.stdout().readAllBytes()).asString().isEqualTo("out");
        assertThat(process.stderr().read()).isEqualTo(-1);
    }

    @Test
    void aStreamReportsAGapWhereItIsAndGoesOn() throws Exception {
        RemoteProcess other = client.start(ProcessSpec.of("x").processId("q"));
        server.cutFor(() -> {
            for (int i = 0; i < 10; i++) {
                server.output("q", StreamKind.STDOUT, "line" + i + ";");
            }
            server.keep("q", 2);
            server.exit("q", 0, false);
            server.close("q");
        });
        InputStream out = other.stdout();
        assertThatThrownBy(out::readAllBytes)
                .isInstanceOfSatisfying(
                        OutputGapException.class,
                        e -> assertThat(e.gap().toSeq()).isEqualTo(8));
        assertThat(out.readAllBytes()).asString().isEqualTo("line8;line9;");
    }

    @Test
    void aStreamOfALostProcessFailsInsteadOfEnding() throws Exception {
        server.output("p", StreamKind.STDOUT, "a");
        InputStream out = process.stdout();
        assertThat(out.read()).isEqualTo('a');
        client.close();
        assertThatThrownBy(out::read).isInstanceOf(IOException.class).hasMessageContaining("closed by this client");
        assertThatThrownBy(out::read).isInstanceOf(IOException.class);
    }

    @Test
    void outputIsConsumedInOneWayOnly() {
        process.stdout();
        assertThatThrownBy(process::nextEvent).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void discardedOutputDoesNotStopTheProcess() throws Exception {
        process.discardOutput();
        for (int i = 0; i < 50; i++) {
            server.output("p", StreamKind.STDOUT, "x".repeat(900));
        }
        server.exit("p", 0, false);
        server.close("p");
        assertThat(process.waitFor()).isInstanceOf(Outcome.Exited.class);
        await().until(process::ended);
    }

    @Test
    void aFullStdinIsTriedAgainWithTheSameId() throws Exception {
        server.failNext("process/write", RpcException.internal("full").withData("reason", "stdinFull"));
        process.write("abc".getBytes());
        process.stdin().write("def".getBytes());
        assertThat(server.stdin("p")).isEqualTo("abcdef");
    }

    @Test
    void anErrorOfTheServerHasItsCodeAndReason() {
        server.failNext("process/write", RpcException.internal("broken").withData("reason", "why"));
        assertThatThrownBy(() -> process.write(new byte[1])).isInstanceOfSatisfying(RequestFailedException.class, e -> {
            assertThat(e.code()).isEqualTo(-32603);
            assertThat(e.reason()).contains("why");
            assertThat(e.serverMessage()).isEqualTo("broken");
        });
    }

    @Test
    void closingAHandleEndsItsProcessAndItsEvents() throws Exception {
        process.close();
        await().until(() -> server.log().contains("process/terminate {\"processId\":\"p\"}"));
        assertThat(process.nextEvent()).get().isInstanceOf(ProcessEvent.Lost.class);
        assertThat(client.start(ProcessSpec.of("x").processId("p")).id()).isEqualTo("p");
    }

    @Test
    void aDetachedProcessIsTakenUpWhereItWasLeft() throws Exception {
        server.output("p", StreamKind.STDOUT, "a");
        assertThat(process.nextEvent()).isPresent();
        long seq = process.detach();
        server.output("p", StreamKind.STDOUT, "b");
        server.exit("p", 0, false);
        server.close("p");
        assertThat(client.attach("p", seq).stdout().readAllBytes()).asString().isEqualTo("b");
        assertThat(client.attach("p").stdout().readAllBytes()).asString().isEqualTo("ab");
    }

    @Test
    void attachingToAProcessThatIsNotThereLosesIt() throws Exception {
        assertThat(client.attach("nobody").waitFor()).isInstanceOf(Outcome.Lost.class);
    }

    private static int read(InputStream in) {
        try {
            return in.read();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
