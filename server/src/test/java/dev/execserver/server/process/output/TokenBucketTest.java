package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void aBurstIsLetThroughAndAfterThatSoMuchASecond() {
        TokenBucket pace = new TokenBucket(100, 300, 0);
        assertThat(pace.take(300, 0)).isTrue();
        assertThat(pace.take(1, 0)).isFalse();
        assertThat(pace.take(100, SECOND)).isTrue();
        assertThat(pace.take(1, SECOND)).isFalse();
        assertThat(pace.take(50, SECOND + SECOND / 2)).isTrue();
    }

    @Test
    void aLongPauseSavesUpNoMoreThanABurst() {
        TokenBucket pace = new TokenBucket(100, 300, 0);
        assertThat(pace.take(301, 3600 * SECOND)).isFalse();
        assertThat(pace.take(300, 3600 * SECOND)).isTrue();
    }
}
