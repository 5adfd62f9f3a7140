package dev.execserver.sandbox.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WslTest {
    @ParameterizedTest
    @DisplayName("B32: the text of /proc/version tells the two kinds of WSL apart")
    @CsvSource(delimiter = '|', textBlock = """
            Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) | WSL1
            Linux version 5.15.90.1-microsoft-standard-WSL2 (oe-user@oe-host) | WSL2
            Linux version 5.10.0-microsoft-standard | WSL2
            Linux version 4.4.0-wsl1 | WSL1
            Linux version 6.6.0-custom-WSL3 | WSL2
            Linux version 6.18.44 (gcc 15) | NONE
            '' | NONE
            """)
    void kinds(String version, Wsl expected) {
        assertThat(Wsl.of(version)).isEqualTo(expected);
    }
}
