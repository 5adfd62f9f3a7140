package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unit test of {@link LocalValues}, and of the addresses that go together. */
class LocalValuesTest {
    @ParameterizedTest
    @CsvSource({"0600, rw-------", "0660, rw-rw----", "777, rwxrwxrwx", "0041, ---r----x"})
    void permissionsAreOctal(String octal, String words) {
        assertThat(new LocalValues.Mode().parse(octal)).contains(PosixFilePermissions.fromString(words));
        assertThat(new LocalValues.Mode().format(PosixFilePermissions.fromString(words)))
                .endsWith(octal);
    }

    @Test
    void aServerListensOnSeveralAddresses() {
        Listen listen = load("unix:/run/s,ws://127.0.0.1:0").server().listen();
        assertThat(listen.urls()).extracting(Object::toString).containsExactly("unix:/run/s", "ws://127.0.0.1:0");
        assertThat(listen.url()).isEqualTo(ListenUrl.DEFAULT);
        assertThat(load("unix:/run/s").server().listen().url()).hasToString("unix:/run/s");
    }

    @Test
    void stdioGoesWithNoOtherAddressAndPathsAreAbsoluteAndShort() {
        for (String wrong : List.of("stdio,unix:/run/s", "unix:s", "unix:", "unix:/" + "x".repeat(107))) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> load(wrong))
                    .withMessageContaining("--listen");
        }
    }

    private static ConfigLoader.Loaded load(String listen) {
        return ConfigLoader.load(Map.of(Options.LISTEN, listen), Map.of());
    }
}
