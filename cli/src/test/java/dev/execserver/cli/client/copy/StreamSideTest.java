package dev.execserver.cli.client.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Standard output as the target of a copy. */
class StreamSideTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @Test
    void c08_anOutputThatTakesNothingMoreIsAFailureWithItsReason() throws Exception {
        copyTo(failing("No space left on device"));

        assertThat(errors.toString()).isEqualTo("Error: -: No space left on device (os error 28)\n");
    }

    @Test
    void c08_onlyAPipeThatNobodyReadsEndsTheCopyWithoutAWord() {
        assertThatThrownBy(() -> copyTo(failing("Broken pipe"))).isInstanceOf(StreamSide.OutputClosedException.class);
        assertThat(errors.toString()).isEmpty();
    }

    private void copyTo(OutputStream output) throws InterruptedException {
        Console console =
                new Console(new PrintStream(OutputStream.nullOutputStream()), new PrintStream(errors, true), Map.of());
        InputStream content = new ByteArrayInputStream(new byte[10]);
        new TreeCopier(
                        StreamSide.input(content),
                        StreamSide.output(output),
                        false,
                        new Report(console, Progress.SILENT))
                .copyAll(List.of(StreamSide.FILE), StreamSide.FILE, false);
    }

    private static OutputStream failing(String why) {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(why);
            }
        };
    }
}
