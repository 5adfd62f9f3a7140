package dev.execserver.server.mcp.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputCaptureTest {
    private final MemoryBudget memory = new MemoryBudget(10_000_000, Duration.ZERO);

    @Test
    void withoutAnyMemoryTheEndIsKeptAllTheSame() {
        try (OutputCapture capture = new OutputCapture(1_000_000, new MemoryBudget(0, Duration.ZERO))) {
            add(capture, "x".repeat(2_000_000) + "end");

            assertThat(capture.text()).startsWith("xxx").endsWith("end");
        }
    }

    private static void add(OutputCapture capture, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        capture.add(bytes, 0, bytes.length);
    }

    @Test
    void aShortOutputIsWhole() {
        try (OutputCapture capture = new OutputCapture(100, memory)) {
            add(capture, "one\n");
            add(capture, "two\n");

            assertThat(capture.text()).isEqualTo("one\ntwo\n");
            assertThat(capture.omitted()).isZero();
        }
    }

    @Test
    void ofALongOneTheBeginningAndTheEndAreKeptInWhateverPiecesItComes() {
        String text = "a".repeat(50) + "b".repeat(900) + "c".repeat(50);
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            try (OutputCapture capture = new OutputCapture(100, memory)) {
                for (int at = 0; at < text.length(); ) {
                    int next = Math.min(text.length(), at + 1 + random.nextInt(300));
                    add(capture, text.substring(at, next));
                    at = next;
                }
                assertThat(capture.omitted()).isEqualTo(900);
                assertThat(capture.text())
                        .isEqualTo("a".repeat(50) + "\n[... 900 bytes omitted ...]\n" + "c".repeat(50));
            }
        }
    }

    @Test
    void noCharacterIsCut() {
        try (OutputCapture capture = new OutputCapture(101, memory)) {
            add(capture, "ä".repeat(500));

            assertThat(capture.text()).doesNotContain("\uFFFD").startsWith("ää").endsWith("ää");
        }
    }

    @Test
    void withoutMemoryLessIsKeptAndItIsGivenBack() {
        MemoryBudget little = new MemoryBudget(100_000, Duration.ZERO);
        try (OutputCapture capture = new OutputCapture(1_000_000, little)) {
            for (int i = 0; i < 2_000; i++) {
                add(capture, "x".repeat(1_000));
            }
            add(capture, "end");

            assertThat(capture.text()).startsWith("xxx").endsWith("end").hasSizeLessThan(200_000);
            assertThat(capture.omitted()).isGreaterThan(1_800_000);
            assertThat(little.usedBytes()).isPositive();
        }
        assertThat(little.usedBytes()).isZero();
    }
}
