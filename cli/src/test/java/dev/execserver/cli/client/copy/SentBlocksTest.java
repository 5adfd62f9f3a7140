package dev.execserver.cli.client.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.client.FileMethods;
import org.junit.jupiter.api.Test;

class SentBlocksTest {
    private static final int KEPT = FileMethods.BLOCKS_IN_FLIGHT + 1;

    private final SentBlocks blocks = new SentBlocks();

    @Test
    void whatComesBehindAPositionBeginsInTheMiddleOfABlock() {
        blocks.add(new byte[] {1, 2, 3});
        blocks.add(new byte[] {4, 5});

        assertThat(blocks.from(0).orElseThrow()).containsExactly(new byte[] {1, 2, 3}, new byte[] {4, 5});
        assertThat(blocks.from(2).orElseThrow()).containsExactly(new byte[] {3}, new byte[] {4, 5});
        assertThat(blocks.from(3).orElseThrow()).containsExactly(new byte[] {4, 5});
        assertThat(blocks.from(5).orElseThrow()).isEmpty();
        assertThat(blocks.from(6)).isEmpty();
    }

    @Test
    void onlyBlocksThatMayNotHaveBeenWrittenAreKept() {
        for (int i = 0; i < KEPT + 2; i++) {
            blocks.add(new byte[] {(byte) i});
        }

        assertThat(blocks.end()).isEqualTo(KEPT + 2);
        assertThat(blocks.from(1)).isEmpty();
        assertThat(blocks.from(2).orElseThrow()).hasSize(KEPT).startsWith(new byte[] {2});
    }

    @Test
    void aHoleInWhatWasWrittenIsFound() {
        blocks.add(new byte[] {1, 2, 3});
        blocks.add(new byte[] {4, 5});

        assertThat(blocks.start()).isZero();
        assertThat(blocks.contain(new byte[] {1, 2, 3, 4})).isTrue();
        assertThat(blocks.contain(new byte[] {1, 2, 3, 4, 5})).isTrue();
        assertThat(blocks.contain(new byte[] {0, 0, 0, 4, 5})).isFalse();
        assertThat(blocks.contain(new byte[] {1, 2, 3, 4, 5, 6})).isFalse();
    }
}
