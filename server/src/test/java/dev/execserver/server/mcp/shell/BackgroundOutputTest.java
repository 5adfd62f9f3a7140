package dev.execserver.server.mcp.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundOutputTest {
    private final MemoryBudget memory = new MemoryBudget(10_000_000, Duration.ZERO);
    private final BackgroundOutput output = new BackgroundOutput(memory);

    @AfterEach
    void nothingIsHeldAfterwards() {
        output.close();
        assertThat(memory.usedBytes()).isZero();
    }

    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.add(bytes, 0, bytes.length);
    }

    @Test
    void aCursorGoesThroughTheOutputPieceByPiece() {
        add("one two");
        BackgroundOutput.Piece first = output.after(0, 4);
        BackgroundOutput.Piece second = output.after(first.next(), 100);

        assertThat(first.text()).isEqualTo("one ");
        assertThat(second.text()).isEqualTo("two");
        assertThat(second.next()).isEqualTo(7);
        assertThat(output.after(1_000, 100).text()).isEmpty();
    }

    @Test
    void theLastMebibyteIsKeptInWhateverPiecesItComes() {
        Random random = new Random(1);
        StringBuilder all = new StringBuilder();
        while (all.length() < 3 * BackgroundOutput.MAX_BYTES) {
            String piece = String.valueOf((char) ('a' + random.nextInt(26))).repeat(1 + random.nextInt(200_000));
            all.append(piece);
            add(piece);
        }
        BackgroundOutput.Piece kept = output.after(0, BackgroundOutput.MAX_BYTES);

        assertThat(kept.text()).isEqualTo(all.substring(all.length() - BackgroundOutput.MAX_BYTES));
        assertThat(kept.omitted()).isEqualTo(all.length() - BackgroundOutput.MAX_BYTES);
        assertThat(kept.next()).isEqualTo(all.length());
    }

    @Test
    void noCharacterIsCutBetweenTwoPieces() {
        add("ää");
        BackgroundOutput.Piece first = output.after(0, 3);

        assertThat(first.text()).isEqualTo("ä");
        assertThat(output.after(first.next(), 3).text()).isEqualTo("ä");
    }

    @Test
    void theEndIsNewsToo() {
        assertThat(output.news(0)).isFalse();
        output.ended(new BackgroundOutput.End(OptionalInt.of(1), false));

        assertThat(output.news(0)).isTrue();
        assertThat(output.end().orElseThrow().exitCode()).hasValue(1);
    }
}
