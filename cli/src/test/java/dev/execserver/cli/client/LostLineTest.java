package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Words about a lost connection. */
@Timeout(60)
class LostLineTest {
    private final FakeTerminal terminal = new FakeTerminal();
    private final FakeHost host = new FakeHost();

    private String said() {
        return terminal.errors.toString(UTF_8);
    }

    @Test
    void withoutARawTerminalItIsSaidOnceAndSoIsTheEnd() {
        terminal.terminal = true;
        LostLine line = new LostLine(terminal, Optional.empty(), "", () -> 0);
        line.interrupted();
        await().until(() -> !said().isEmpty());
        line.resumed();
        assertThat(said()).isEqualTo("connection lost, trying again\nconnected again; nothing was lost\n");
        assertThat(line.down()).isFalse();
    }

    @Test
    void onARawTerminalItIsTakenAwayAgain() {
        terminal.terminal = true;
        LostLine line = new LostLine(terminal, Optional.of(host), "; KEY leaves", () -> 7);
        line.interrupted();
        assertThat(line.down()).isTrue();
        await().until(() -> said().contains("connection lost, 2 s, trying again, 7 bytes typed wait; KEY leaves"));
        line.resumed();
        assertThat(said()).endsWith("\u001b7\u001b[B\r\u001b[2K\u001b8");
        assertThat(host.calls).as("there was no full screen").isEmpty();
    }

    @Test
    void aShortLossIsNotTold() {
        terminal.terminal = true;
        LostLine line = new LostLine(terminal, Optional.of(host), "", () -> 0);
        line.interrupted();
        line.resumed();
        line.interrupted();
        line.ended("for good");
        assertThat(said()).isEmpty();
        assertThat(line.down()).isFalse();
    }
}
