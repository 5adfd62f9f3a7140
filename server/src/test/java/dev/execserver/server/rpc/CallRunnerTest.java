package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.ClientShare;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.InMemoryTransport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests requests for which no thread can be started. */
@Timeout(30)
class CallRunnerTest {
    private static final int MESSAGE_BYTES = 100;

    private final Timers timers = new Timers();
    private final FileWorkers workers = new FileWorkers(2, timers);
    private final MemoryBudget received = new MemoryBudget(8 << 20, Duration.ofSeconds(1));
    private final MemoryBudget answers = new MemoryBudget(8 << 20, Duration.ofSeconds(1));
    private final RequestGate gate = new RequestGate(1, 1 << 20, ClientShare.of(received));
    private final InMemoryTransport.Pair pair = InMemoryTransport.pair();
    private final DescriptorBudget descriptors = DescriptorBudget.ofThisProcess();
    private final CallRunner calls = new CallRunner(workers, bytes -> {}, (_, _) -> {
        throw new OutOfMemoryError("unable to create a thread");
    });
    private final Connection connection = new Connection(
            1,
            pair.server(),
            new Outbound(pair.server(), new BufferPool()),
            gate,
            new ReaderHandover(new StalledReaderMonitor(timers)),
            ClientShare.of(answers),
            new AtomicInteger(),
            Dialect.OPEN,
            AccessLog.OFF);

    @AfterEach
    void end() {
        workers.close();
        timers.close();
    }

    private void assertEverythingIsGivenBack() {
        assertThat(received.usedBytes()).isZero();
        assertThat(answers.usedBytes()).isZero();
        assertThat(pair.client().closed())
                .hasValueSatisfying(reason -> assertThat(reason.code()).isEqualTo(1013));
        assertThat(gate.begin(false, () -> {})).as("its turn is free again").isTrue();
    }

    @Test
    void aRequestWithoutAThreadGivesItsShareBackAndItsClientDoesNotWait() {
        AnswerMemory memory = new AnswerMemory(answers);
        memory.reserve(1_000);
        Method.Prepared prepared =
                new Method.Prepared(Answer::empty, descriptors.admit("quick", 8), Optional.empty(), List.of());
        gate.enter(MESSAGE_BYTES);
        assertThat(gate.begin(false, () -> {})).isTrue();
        calls.start(new AcceptedCall(
                connection,
                new Request(new RequestId.Number(1), "quick", JsonSlice.NULL, 1),
                prepared,
                memory,
                Optional.empty(),
                MESSAGE_BYTES,
                () -> gate.end(false, MESSAGE_BYTES)));
        assertEverythingIsGivenBack();
    }

    @Test
    void aRefusalWithoutAThreadGivesItsShareBackToo() {
        gate.enter(MESSAGE_BYTES);
        assertThat(gate.begin(true, () -> {})).isTrue();
        calls.startRefusal(
                connection,
                new RequestId.Number(1),
                RpcException.internal("no"),
                new AnswerMemory(answers),
                () -> gate.end(true, MESSAGE_BYTES));
        assertEverythingIsGivenBack();
    }
}
