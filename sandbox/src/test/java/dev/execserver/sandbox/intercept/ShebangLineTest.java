package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ShebangLineTest {
    private static String read(String head) {
        return ShebangLine.read(head)
                .map(line -> text(line.interpreter())
                        + line.argument().map(argument -> "|" + text(argument)).orElse(""))
                .orElse("refused");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void theRestOfTheLineIsOneArgument() {
        assertThat(read("#!/bin/sh\n")).isEqualTo("/bin/sh");
        assertThat(read("#! \t/bin/sh  -e  -u \t\nx")).isEqualTo("/bin/sh|-e  -u");
        assertThat(read("#!/bin/sh")).isEqualTo("/bin/sh");
    }

    @Test
    void otherWhiteSpaceBelongsToThePath() {
        assertThat(read("#!/bin/sh\r\n")).isEqualTo("/bin/sh\r");
    }

    @Test
    void aLineWithoutAPathAndAPathThatMayBeCutAreRefused() {
        assertThat(read("#! \n/bin/sh")).isEqualTo("refused");
        assertThat(read("#!/" + "x".repeat(253))).isEqualTo("refused");
        assertThat(read("#!/x " + "y".repeat(251))).startsWith("/x|yyy");
    }
}
