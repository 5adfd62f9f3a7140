package dev.execserver.server.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerEnvironmentTest {
    @Test
    void readsTheKernelsBlockAsUtf8WhateverTheLocale() {
        byte[] block = "A=1\0EMPTY=\0UMLAUT=äöü\0URL=x=y\0noEquals\0=odd\0A=2\0".getBytes(UTF_8);

        assertThat(ServerEnvironment.parse(block))
                .isEqualTo(Map.of("A", "1", "EMPTY", "", "UMLAUT", "äöü", "URL", "x=y"));
    }

    @Test
    void readsTheVariablesOfThisProcess() {
        assertThat(ServerEnvironment.read()).containsEntry("PATH", System.getenv("PATH"));
    }
}
