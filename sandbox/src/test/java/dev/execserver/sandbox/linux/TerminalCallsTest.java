package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalCallsTest {
    @TempDir
    private Path directory;

    @Test
    void aPseudoTerminalIsOneAndAPipeIsNone() {
        try (Fd master = TerminalCalls.openMaster();
                PipeCalls.Pipe pipe = PipeCalls.pipe()) {
            assertThat(TerminalCalls.isTerminal(master.number())).isTrue();
            assertThat(TerminalCalls.isTerminal(pipe.readEnd().number())).isFalse();
        }
        assertThat(TerminalCalls.isTerminal(-1)).isFalse();
    }

    @Test
    void theEndOfTheInputCanBeReadAsInputCan() {
        try (Fd master = TerminalCalls.openMaster();
                PipeCalls.Pipe pipe = PipeCalls.pipe()) {
            assertThat(TerminalCalls.readable(master.number())).isFalse();
            assertThat(TerminalCalls.readable(pipe.readEnd().number())).isFalse();
            pipe.writeEnd().close();
            assertThat(TerminalCalls.readable(pipe.readEnd().number())).isTrue();
        }
    }

    @Test
    void theWindowSizeIsWhatWasSet() {
        try (Fd master = TerminalCalls.openMaster()) {
            TerminalCalls.setWindowSize(master.number(), new WindowSize(43, 132));

            assertThat(TerminalCalls.windowSize(master.number())).isEqualTo(new WindowSize(43, 132));
        }
    }

    @Test
    void rawModeIsThatOfSttyAndIsTakenBack() throws Exception {
        try (Fd master = TerminalCalls.openMaster()) {
            String before = stty(master);
            TerminalAttributes cooked = TerminalCalls.attributes(master.number());
            assertThat(cooked.cooked()).isTrue();

            TerminalCalls.setAttributes(master.number(), cooked.raw());
            assertThat(TerminalCalls.attributes(master.number()).cooked()).isFalse();
            assertThat(stty(master))
                    .contains("-icanon", "-isig", "-iexten", " -echo ", "-opost", "-icrnl", "-ixon", "min = 1");

            TerminalCalls.setAttributes(master.number(), cooked);
            assertThat(stty(master)).isEqualTo(before);
        }
    }

    @Test
    void whatIsNoTerminalHasNoAttributes() {
        assertThatThrownBy(() -> TerminalCalls.attributes(-1))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("Bad file descriptor");
    }

    private String stty(Fd master) throws Exception {
        Path output = directory.resolve("stty");
        Process stty = new ProcessBuilder("stty", "-a", "-F", TerminalCalls.slavePath(master.number()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(stty.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }
}
