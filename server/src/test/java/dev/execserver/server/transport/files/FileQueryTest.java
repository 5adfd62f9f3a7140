package dev.execserver.server.transport.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileQueryTest {

    @ParameterizedTest
    @CsvSource({
        "path=/a, /a",
        "path=%2Fa%20b, /a b",
        "path=/a+b, /a+b",
        "path=/a=b, /a=b",
        "path=file:///a, /a",
        "path=file%3A%2F%2F%2Fa%2520b, /a b",
        "path=/a%2520b, /a%20b",
        "path=/%C3%A9, /é"
    })
    void aNativePathOrAUri(String query, String path) {
        assertThat(FileQuery.path(query).text()).contains(path);
    }

    @Test
    void aNameThatIsNoUtf8KeepsItsBytes() {
        assertThat(FileQuery.path("path=/%FF").bytes()).containsExactly('/', 0xFF);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|must say which file",
                "path=|relative URL",
                "path=a/b|relative URL",
                "path=/a&path=/b|too much",
                "path=/a&x=1|too much",
                "path=/a%2|percent sign",
                "path=/a%00|NUL",
                "path=http://x/|unsupported path URI scheme",
                "path=file://host/x|not valid",
                "path=/a&session=s|Exec-Server-Session",
                "sandbox=x&path=/a|Exec-Server-Sandbox"
            })
    void anythingElseIsABadRequest(String query, String why) {
        assertThatExceptionOfType(FileRefusal.class)
                .isThrownBy(() -> FileQuery.path(query))
                .withMessageContaining(why);
    }
}
