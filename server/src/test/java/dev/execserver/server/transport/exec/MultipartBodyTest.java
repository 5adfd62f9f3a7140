package dev.execserver.server.transport.exec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.server.transport.files.FileRefusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of several parts, cut at every place by the network. */
class MultipartBodyTest {
    private static final String TYPE = "multipart/form-data; boundary=abc";

    /** Gives at most a few bytes at once. */
    private static InputStream slowly(String body, int step) {
        return new ByteArrayInputStream(body.getBytes(ISO_8859_1)) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, step));
            }
        };
    }

    private static String part(String name, String content) {
        return "--abc\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n";
    }

    private static String rest(MultipartBody body) throws IOException {
        return new String(body.readAllBytes(), ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void partsAreGivenWithTheirContent(int step) throws IOException {
        String content = "a\r\n--ab\r\n\r\r\n--abd" + "x".repeat(70_000) + "\r";
        MultipartBody body = MultipartBody.of(
                TYPE,
                slowly("preamble\r\n" + part("params", "{}") + part("stdin", content) + "--abc--\r\nepilogue", step));

        assertThat(body.next()).contains("params");
        assertThat(rest(body)).isEqualTo("{}");
        assertThat(body.next()).contains("stdin");
        assertThat(rest(body)).isEqualTo(content);
        assertThat(body.next()).isEmpty();
        body.requireEnd();
    }

    @Test
    void anEmptyPartAndAnUnreadPartAreNoTrouble() throws IOException {
        MultipartBody body =
                MultipartBody.of(TYPE, slowly(part("a", "") + part("b", "unread") + part("c", "z") + "--abc--", 5));
        assertThat(body.next()).contains("a");
        assertThat(rest(body)).isEmpty();
        assertThat(body.next()).contains("b");
        assertThat(body.next()).contains("c");
        assertThat(rest(body)).isEqualTo("z");
        assertThatThrownBy(() -> {
                    MultipartBody more = MultipartBody.of(TYPE, slowly(part("a", "") + part("b", ""), 9));
                    Optional<String> unused = more.next();
                    more.requireEnd();
                })
                .isInstanceOf(FileRefusal.class)
                .hasMessageContaining("more parts");
    }

    @Test
    void contentIsGivenBeforeMoreOfItComes() throws IOException {
        String begin = part("stdin", "typed");
        InputStream open = slowly(begin.substring(0, begin.length() - 2), 1000);
        MultipartBody body = MultipartBody.of(TYPE, open);
        assertThat(body.next()).contains("stdin");
        assertThat(new String(body.readNBytes(5), ISO_8859_1)).isEqualTo("typed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"boundary=abc", "; boundary=\"abc\"; charset=utf-8", ";charset=utf-8;BOUNDARY=abc"})
    void theBoundaryIsFound(String parameters) throws IOException {
        String type = "multipart/form-data" + (parameters.startsWith(";") ? "" : "; ") + parameters;
        assertThat(MultipartBody.of(type, slowly(part("x", "y") + "--abc--", 50))
                        .next())
                .contains("x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--abc",
                "--abc\r\n",
                "--abc\r\n\r\nno name\r\n--abc--",
                "--abcd\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--abc--",
                "--abc\r\nContent-Disposition: form-data; name=a\r\n\r\nnever ends"
            })
    void whatCannotBeUnderstoodIsRefused(String content) {
        MultipartBody body = MultipartBody.of(TYPE, slowly(content, 3));
        assertThatThrownBy(() -> {
                    while (body.next().isPresent()) {
                        body.readAllBytes();
                    }
                })
                .isInstanceOf(FileRefusal.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aHeadHasALimit() {
        String head = "--abc\r\nX: " + "x".repeat(MultipartBody.MAX_HEAD_BYTES) + "\r\n\r\n";
        assertThatThrownBy(() -> MultipartBody.of(TYPE, slowly(head, 500)).next())
                .hasMessageContaining("more than " + MultipartBody.MAX_HEAD_BYTES);
        assertThatThrownBy(() -> MultipartBody.of("multipart/form-data", slowly(head, 500)))
                .hasMessageContaining("no boundary");
    }
}
