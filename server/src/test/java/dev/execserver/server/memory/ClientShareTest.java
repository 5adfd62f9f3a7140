package dev.execserver.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientShareTest {
    private static final long MODEST = 100;

    private final MemoryBudget common = new MemoryBudget(1_000, Duration.ofMillis(1));
    private final MemoryBudget reserve = new MemoryBudget(150, Duration.ofMillis(1));
    private final ClientShare greedy = client();

    private ClientShare client() {
        return new ClientShare(common, reserve, MODEST);
    }

    @Test
    void aClientThatHoldsLittleIsServedWhenOthersHoldTheWholeShare() {
        assertThat(greedy.reserve(1_000)).isTrue();

        assertThat(client().reserve(MODEST)).isTrue();
        assertThat(reserve.usedBytes()).isEqualTo(MODEST);
    }

    @Test
    void aClientThatHoldsMuchTakesNothingOfTheReserve() {
        assertThat(greedy.reserve(1_000)).isTrue();

        assertThat(greedy.tryReserve(1)).isFalse();
        assertThat(greedy.reserve(1)).isFalse();
        assertThat(reserve.usedBytes()).isZero();
    }

    @Test
    void aClientThatHasTakenItsPartOfTheReserveWaitsLikeTheOthers() {
        assertThat(greedy.reserve(1_000)).isTrue();
        ClientShare other = client();
        assertThat(other.reserve(MODEST)).isTrue();

        assertThat(other.reserve(1)).isFalse();
    }

    @Test
    void theReserveIsBounded() {
        assertThat(greedy.reserve(1_000)).isTrue();
        assertThat(client().reserve(MODEST)).isTrue();

        assertThat(client().reserve(MODEST)).isFalse();
        assertThat(client().reserve(50)).isTrue();
    }

    @Test
    void whatIsGivenBackFillsTheReserveFirst() {
        ClientShare other = client();
        assertThat(other.reserve(10)).isTrue();
        assertThat(greedy.reserve(990)).isTrue();
        assertThat(other.reserve(60)).isTrue();

        other.release(65);

        assertThat(reserve.usedBytes()).isZero();
        assertThat(common.usedBytes()).isEqualTo(995);
    }

    @Test
    void theReserveIsNotTouchedWhileTheShareHasRoom() {
        assertThat(client().reserve(MODEST)).isTrue();

        assertThat(common.usedBytes()).isEqualTo(MODEST);
        assertThat(reserve.usedBytes()).isZero();
    }
}
