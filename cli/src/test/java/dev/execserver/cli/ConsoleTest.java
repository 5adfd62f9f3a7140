package dev.execserver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @Test
    void c08_anOutputThatCannotBeWrittenIsAFailureWithItsReason() {
        assertThat(finish("No space left on device", 0)).isEqualTo(1);
        assertThat(errors.toString())
                .isEqualTo("Error: the output cannot be written: No space left on device (os error 28)\n");
    }

    @Test
    void c08_aPipeThatNobodyReadsEndsWithoutAWord() {
        assertThat(finish("Broken pipe", 0)).isEqualTo(141);
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void anOutputThatWasWrittenLeavesTheStatus() {
        Console console = console(ConsoleOutput.to(new ByteArrayOutputStream()));
        console.out().print("text");
        assertThat(console.finish(3)).isEqualTo(3);
    }

    private int finish(String why, int status) {
        Console console = console(ConsoleOutput.to(new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(why);
            }
        }));
        console.out().print("text");
        return console.finish(status);
    }

    private Console console(PrintStream out) {
        return new Console(out, new PrintStream(errors, true), Map.of());
    }
}
