package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.execserver.server.memory.ClientShare;
import dev.execserver.server.memory.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the waiting at the end of a connection, and the turns of requests. */
@Timeout(60)
class RequestGateTest {

    private static final int MESSAGE_BYTES = 100;

    private final RequestGate gate =
            new RequestGate(4, 1 << 20, ClientShare.of(new MemoryBudget(8 << 20, Duration.ofSeconds(1))));

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsOfBothKindsAreWaitedFor(boolean control) throws Exception {
        gate.enter(MESSAGE_BYTES);
        assertThat(gate.begin(control, () -> {})).isTrue();

        Thread end = Thread.ofPlatform().start(() -> gate.awaitIdle(Duration.ofSeconds(50)));
        await().atMost(Duration.ofSeconds(10)).until(() -> end.getState() == Thread.State.TIMED_WAITING);
        gate.end(control, MESSAGE_BYTES);

        assertThat(end.join(Duration.ofSeconds(40))).isTrue();
    }

    @Test
    void nothingIsWaitedForWhenNothingRuns() throws Exception {
        Thread end = Thread.ofPlatform().start(() -> gate.awaitIdle(Duration.ofSeconds(50)));

        assertThat(end.join(Duration.ofSeconds(40))).isTrue();
    }

    @Test
    void anErrorWhileRoomIsTakenLeavesNothingTaken() throws Exception {
        ClientShare share = mock(ClientShare.class);
        when(share.maxBytes()).thenReturn(8L << 20);
        when(share.reserve(anyLong()))
                .thenThrow(new OutOfMemoryError("of the test"))
                .thenReturn(true);
        RequestGate small = new RequestGate(4, MESSAGE_BYTES, share);

        assertThatThrownBy(() -> small.enter(MESSAGE_BYTES)).isInstanceOf(OutOfMemoryError.class);
        Thread next = Thread.ofPlatform().daemon().start(() -> small.enter(MESSAGE_BYTES));
        assertThat(next.join(Duration.ofSeconds(40)))
                .as("the next message has room")
                .isTrue();
    }

    @Test
    void requestsThatCannotBeStartedGiveTheirTurnsToTheNextWithoutEnd() throws Exception {
        int waiting = 4_000;
        for (int i = 0; i < 4; i++) {
            assertThat(gate.begin(false, () -> {})).isTrue();
        }
        AtomicInteger started = new AtomicInteger();
        for (int i = 0; i < waiting; i++) {
            gate.begin(false, () -> {
                started.incrementAndGet();
                gate.end(false, 0); // it could not be started, so it has ended
            });
        }
        Thread small = new Thread(null, () -> gate.end(false, 0), "small-stack", 128 * 1024);
        small.start();
        assertThat(small.join(Duration.ofSeconds(40))).isTrue();
        assertThat(started).hasValue(waiting);
        for (int i = 0; i < 3; i++) {
            gate.end(false, 0);
        }
        gate.awaitIdle(Duration.ofSeconds(40));
        assertThat(gate.begin(false, () -> {})).isTrue();
    }

    @Test
    void aStarterThatFailsTakesNoTurnWithIt() {
        for (int i = 0; i < 4; i++) {
            gate.begin(false, () -> {});
        }
        gate.begin(false, () -> {
            throw new OutOfMemoryError("of the test");
        });
        assertThatThrownBy(() -> gate.end(false, 0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(gate.begin(false, () -> {}))
                .as("three run, one turn is free")
                .isTrue();
        assertThat(gate.begin(false, () -> {})).as("four run").isFalse();
    }
}
