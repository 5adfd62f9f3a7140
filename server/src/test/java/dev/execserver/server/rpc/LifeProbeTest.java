package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.execserver.server.transport.Transport;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifeProbeTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(600);

    private final Transport peer = mock(Transport.class);

    private void queue(long first, long lessEachTime) {
        AtomicLong left = new AtomicLong(first);
        when(peer.unacknowledgedBytes()).thenAnswer(call -> OptionalLong.of(left.getAndAdd(-lessEachTime)));
        when(peer.lastSignOfLifeNanos()).thenReturn(System.nanoTime());
    }

    @Test
    void aByteThatComesInIsASignOfLife() {
        when(peer.unacknowledgedBytes()).thenReturn(OptionalLong.empty());
        when(peer.lastSignOfLifeNanos()).thenAnswer(call -> System.nanoTime());
        assertThat(LifeProbe.provesAlive(peer, LONG)).isTrue();
    }

    @Test
    void aLongQueueThatShrinksIsASignOfLife() {
        queue(3_000_000, 100_000);
        assertThat(LifeProbe.provesAlive(peer, LONG)).isTrue();
    }

    @Test
    void aQueueThatDoesNotMoveIsNone() {
        queue(3_000_000, 0);
        assertThat(LifeProbe.provesAlive(peer, SHORT)).isFalse();
    }

    @Test
    void thePingThatTheKernelOfAHangingPeerTakesIsNone() {
        queue(200, 100);
        assertThat(LifeProbe.provesAlive(peer, SHORT)).isFalse();
    }
}
