package dev.execserver.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogStreamTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream log = LogStream.around(new PrintStream(written, true, StandardCharsets.UTF_8));

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void c108_aNameForgesNoLine() {
        log.println("session for client evil\n2026-11-29 WARN Forged - \u001b]0;PWN\u0007\u001b[2Jname");
        assertThat(text())
                .isEqualTo("session for client evil\\n2026-11-29 WARN Forged - \\x1b]0;PWN\\x07\\x1b[2Jname\n");
    }

    @Test
    void c108_theMessageOfAnExceptionForgesNoLine() {
        new IllegalStateException("bad\nname \u202e", new RuntimeException("\u001b[2J")).printStackTrace(log);
        assertThat(text().lines())
                .allMatch(line -> line.startsWith("\tat ")
                        || line.startsWith("\t... ")
                        || line.equals("java.lang.IllegalStateException: bad\\nname \\u202e")
                        || line.equals("Caused by: java.lang.RuntimeException: \\x1b[2J"))
                .hasSizeGreaterThan(4);
    }
}
