package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {

    @ParameterizedTest
    @CsvSource({
        "Example.COM., example.com",
        "[::1], ::1",
        "[0:0:0:0:0:0:0:0], ::",
        "[2001:DB8:0:0:1:0:0:1], 2001:db8::1:0:0:1",
        "[1:0:2:3:4:5:6:7], 1:0:2:3:4:5:6:7",
        "[::ffff:127.0.0.1], 127.0.0.1",
        "[fe80::], fe80::",
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1., 127.0.0.1",
        "1.example, 1.example",
        "0xa.b, 0xa.b",
        "a_b.example, a_b.example"
    })
    void hostsHaveOneSpelling(String text, String host) {
        assertThat(HostName.normalize(text)).contains(host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a.example..",
                ".a.example",
                "a..example",
                "127.0.0.1..",
                "2130706433",
                "127.1",
                "0x7f.1",
                "0x7f000001",
                "0X7F.0.0.1",
                "0x",
                "010.8.8.8",
                "1.2.3.4.5",
                "a.example.5",
                "a b",
                "a/b",
                "user@host",
                "[::1%lo]",
                "[127.0.0.1]",
                "[example]",
                "::g",
                "h\u00f6st",
                "a\0"
            })
    void whatIsNoHostIsNone(String text) {
        assertThat(HostName.normalize(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"253, true", "254, false"})
    void namesHaveTheirLongest(int length, boolean fits) {
        assertThat(HostName.normalize("a".repeat(length)).isPresent()).isEqualTo(fits);
    }
}
