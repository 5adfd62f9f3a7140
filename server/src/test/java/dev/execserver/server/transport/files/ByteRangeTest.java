package dev.execserver.server.transport.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-9, 0, 10",
        "bytes=0-10, 0, 10",
        "bytes=3-, 3, 7",
        "bytes=9-, 9, 1",
        "bytes=-1, 9, 1",
        "bytes=-10, 0, 10",
        "bytes=-11, 0, 10",
        "bytes=2-999999999999999999, 2, 8",
        "BYTES=2-9223372036854775808, 2, 8",
        "' bytes=1-2 ', 1, 2"
    })
    void oneRangeOfTenBytes(String header, long start, long length) {
        assertThat(ByteRange.parse(header, 10)).contains(new ByteRange(start, length));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-11", "bytes=-0", "bytes=99999999999999999999-"})
    void noByteOfTheFileIsMeant(String header) {
        assertThat(ByteRange.parse(header, 10).orElseThrow().length()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bytes=-", "bytes=2-1", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "bytes 0-1"})
    void theRestIsIgnored(String header) {
        assertThat(ByteRange.parse(header, 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-0", "bytes=0-", "bytes=-1"})
    void anEmptyFileHasNoRange(String header) {
        assertThat(ByteRange.parse(header, 0).orElseThrow().length()).isZero();
    }
}
