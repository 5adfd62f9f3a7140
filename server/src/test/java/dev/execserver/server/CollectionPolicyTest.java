package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectionPolicyTest {
    private static final long START = 64L << 20;
    private static final long LARGE = START + CollectionPolicy.SPARE_BYTES;

    private final CollectionPolicy watch = new CollectionPolicy(START);
    private long used;

    private boolean calm(long committed) {
        return watch.due(committed, used += CollectionPolicy.CALM_BYTES - 1);
    }

    private boolean busy(long committed) {
        return watch.due(committed, used += CollectionPolicy.CALM_BYTES);
    }

    @Test
    void aHeapThatHasGrownIsCollectedAndThenGrowsAgain() {
        assertThat(busy(START + CollectionPolicy.GROWTH_BYTES - 1)).isFalse();
        assertThat(busy(START + CollectionPolicy.GROWTH_BYTES)).isTrue();
        watch.collected(LARGE, used);
        assertThat(busy(LARGE + CollectionPolicy.GROWTH_BYTES - 1)).isFalse();
        assertThat(busy(LARGE + CollectionPolicy.GROWTH_BYTES)).isTrue();
    }

    @Test
    void aServerThatComesToRestIsCollectedOnce() {
        assertThat(busy(LARGE)).isFalse();
        for (int second = 1; second < CollectionPolicy.CALM_SECONDS; second++) {
            assertThat(calm(LARGE)).isFalse();
        }
        assertThat(calm(LARGE)).isTrue();
        used = 1 << 20;
        watch.collected(LARGE, used); // all of it was live
        for (int second = 0; second < 100; second++) {
            assertThat(calm(LARGE)).isFalse();
        }
        assertThat(busy(LARGE)).isFalse();
        for (int second = 1; second < CollectionPolicy.CALM_SECONDS; second++) {
            assertThat(calm(LARGE)).isFalse();
        }
        assertThat(calm(LARGE)).as("it has worked since").isTrue();
    }

    @Test
    void aSmallServerIsLeftAlone() {
        for (int second = 0; second < 100; second++) {
            assertThat(calm(LARGE - 1)).isFalse();
        }
    }
}
