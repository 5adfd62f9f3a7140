package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.memory.MemoryShare;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the end of a connection waits for. */
@Timeout(60)
class RequestGateTest {

    private static final int MESSAGE_BYTES = 100;

    private final RequestGate gate = new RequestGate(4, 1 << 20, new MemoryShare(8 << 20, Duration.ofSeconds(1)));

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
}
