package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Feeding processes: order, end of file, refusal instead of waiting. */
@Timeout(60)
class StdinIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @Test
    void b16_withoutStdinCatSeesTheEndAtOnce() {
        RemoteProcess process = client.start(Start.of("cat"));

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void b17_closingStdinEndsCatAfterTheQueuedBytes() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        Call write = process.sendWrite("abc".getBytes(UTF_8));
        process.closeStdin();

        assertThat(write.result().get("status").textValue()).isEqualTo("accepted");
        assertThat(process.exited().exitCode()).isZero();
        process.closed();
        assertThat(process.text()).isEqualTo("abc");
    }

    @Test
    void b17_bytesQueuedBeforeTheCloseAllArrive() {
        RemoteProcess process = client.start(Start.shell("sleep 0.3; wc -c").stdin());
        for (int i = 0; i < 40; i++) {
            process.sendWrite(new byte[50_000]);
        }
        process.closeStdin();

        process.closed();
        assertThat(process.text().trim()).isEqualTo("2000000");
    }

    @Test
    void b17_aWriteAfterTheCloseAnswersStdinClosed() {
        RemoteProcess process = client.start(Start.shell("cat; sleep 20").stdin());
        process.closeStdin();

        assertThat(process.write("late")).isEqualTo("stdinClosed");
    }

    @Test
    void b17_closingStdinTwiceIsHarmless() {
        RemoteProcess process = client.start(Start.shell("cat; sleep 20").stdin());
        process.closeStdin();

        assertThat(process.send("process/closeStdin").answer().failed()).isFalse();
    }

    @Test
    void b18_writesToAProcessThatDoesNotReadDelayNothing() {
        RemoteProcess process = client.start(Start.of("sleep", "40").stdin());
        List<Call> writes = IntStream.range(0, 400)
                .mapToObj(i -> process.sendWrite(new byte[65_536]))
                .toList();
        Call terminate = process.send("process/terminate");

        assertThat(terminate.result().get("running").booleanValue()).isTrue();
        assertThat(writes).allSatisfy(write -> assertDecodable(write.answer()));
    }

    @Test
    void stdinBeyond32MiBIsRefusedAtOnceWithAReason() {
        RemoteProcess process = client.start(Start.of("sleep", "40").stdin());
        List<Call> writes = IntStream.range(0, 40)
                .mapToObj(i -> process.sendWrite(new byte[1 << 20]))
                .toList();
        List<Answer> answers = writes.stream().map(Call::answer).toList();

        assertThat(answers.subList(0, 30)).noneMatch(Answer::failed);
        Answer last = answers.getLast();
        assertThat(last.errorCode()).isEqualTo(-32603);
        assertThat(last.error().path("data").path("reason").asText()).isEqualTo("stdinFull");
        client.assertServed();
    }

    @Test
    void aWriteAfterTheExitAnswersStdinClosed() {
        RemoteProcess process = client.start(Start.of("true").stdin());
        process.closed();

        assertThat(process.write("late")).isEqualTo("stdinClosed");
    }

    @Test
    void aWriteToAProcessWithoutStdinAnswersStdinClosed() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));

        assertThat(process.write("x")).isEqualTo("stdinClosed");
    }

    @Test
    void aWriteToAnUnknownProcessIsAStatus() {
        Answer answer = client.call("process/write", "processId", "nobody", "chunk", "eA==", "writeId", "1");

        assertThat(answer.result().get("status").textValue()).isEqualTo("unknownProcess");
    }

    @Test
    void tenThousandChunksOfOneByteArriveInTheOrderSent() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        byte[] expected = new byte[10_000];
        List<Call> writes = new ArrayList<>();
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) ('a' + i % 26);
            writes.add(process.sendWrite(new byte[] {expected[i]}));
        }
        process.closeStdin();

        assertThat(writes)
                .allSatisfy(write ->
                        assertThat(write.result().get("status").textValue()).isEqualTo("accepted"));
        process.closed();
        assertThat(process.events().output()).isEqualTo(expected);
    }

    @Test
    void startWriteAndReadMayBeSentWithoutWaiting() {
        RemoteProcess process = client.sendStart(Start.of("cat").stdin());
        Call write = process.sendWrite("pipelined".getBytes(UTF_8));
        Call read = process.sendRead(0, null, 10_000);

        assertThat(write.result().get("status").textValue()).isIn("accepted");
        assertThat(RemoteProcess.bytes(read.result())).asString().isEqualTo("pipelined");
    }

    @Test
    void aRepeatedWriteIdIsNotWrittenAgain() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        for (String id : List.of("1", "1", "2")) {
            process.send("process/write", "chunk", "QQ==", "writeId", id).result();
        }
        process.closeStdin();
        process.closed();

        assertThat(process.text()).isEqualTo("AA");
    }

    private static void assertDecodable(Answer answer) {
        if (answer.failed()) {
            assertThat(answer.errorCode()).isEqualTo(-32603);
            assertThat(answer.error().path("data").path("reason").asText()).isEqualTo("stdinFull");
        } else {
            assertThat(answer.result().get("status").textValue()).isIn("accepted", "stdinClosed");
        }
    }
}
