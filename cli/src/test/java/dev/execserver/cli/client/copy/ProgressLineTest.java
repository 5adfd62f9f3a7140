package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private long now;
    private final ProgressLine line = new ProgressLine(terminal, () -> 40, () -> now);

    @Test
    void theLineIsWrittenOverAFewTimesASecondAndFitsTheTerminal() {
        line.begin("/a/long/way/to/a/file/with/a/name\u001b[31m", OptionalLong.of(4 << 20));
        line.advance(1 << 20);
        assertThat(drawn()).isEmpty();
        now = SECOND;
        line.advance(1 << 20);
        line.advance(1);

        assertThat(drawn()).isEqualTo("\r…me\\x1b[31m   50% of 4.0 MiB  2.0 MiB/s\u001b[K");
    }

    @Test
    void whatHasNoSizeHasNoPercentage() {
        line.begin("-", OptionalLong.empty());
        now = SECOND;
        line.advance(512);

        assertThat(drawn()).isEqualTo("\r-  512 B  512 B/s\u001b[K");
    }

    @Test
    void theEndIsASummary() {
        line.begin("f", OptionalLong.of(1024));
        line.advance(1024);
        line.fileDone();
        now = 2 * SECOND;
        line.finish();

        assertThat(drawn()).isEqualTo("\r\u001b[K1 file, 1.0 KiB in 2.0 s, 512 B/s\n");
    }

    private String drawn() {
        return terminal.toString(UTF_8);
    }
}
