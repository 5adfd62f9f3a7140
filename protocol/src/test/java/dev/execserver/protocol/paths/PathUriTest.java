package dev.execserver.protocol.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathUriTest {

    @ParameterizedTest
    @CsvSource({
        "file:///tmp, /tmp",
        "file:/tmp, /tmp",
        "file://localhost/tmp, /tmp",
        "FILE://LocalHost/tmp, /tmp",
        "file:///tmp%20x, /tmp x",
        "file:///tmp x, /tmp x",
        "file:///, /",
        "file://, /",
        "file:///tmp/, /tmp/",
        "file:////tmp, //tmp",
        "file:///a/./b/../c, /a/c",
        "file:///a/%2e%2E/c, /c",
        "file:///../../x, /x",
        "file:///a/.., /",
        "file:///a/..b/.c/..., /a/..b/.c/...",
        "file:///a%2Fb, /a/b",
        "file:///100%, /100%",
        "file:///%zz%4, /%zz%4",
        "file:///%C3%A4/ö, /ä/ö",
        "file:///a%3Fb%23c, /a?b#c",
        "file:///C%3A/tmp, /C:/tmp",
        "file:///CC:/tmp, /CC:/tmp",
        "'file:///a\\b', '/a\\b'",
    })
    void uriOfThisHostIsANativePath(String uri, String path) {
        for (Dialect dialect : Dialect.values()) {
            PathUri parsed = PathUri.parse(uri, dialect);
            assertThat(parsed.isValidOnLinux()).isTrue();
            assertThat(parsed.text()).contains(path);
            assertThat(parsed.bytes()).isEqualTo(path.getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file://host/tmp",
                "file:///C:/tmp",
                "file:///c|/tmp",
                "file:///C:",
                "file://user@localhost/tmp",
                "file:///x/../C:/y"
            })
    void uriOfAnotherHostOrADriveIsTakenAndThenRefused(String uri) {
        PathUri parsed = PathUri.parse(uri, Dialect.STRICT);
        assertThat(parsed.isValidOnLinux()).isFalse();
        assertThat(parsed.toUri()).isEqualTo(uri);
        assertThat(parsed.display()).isEqualTo(uri);
        assertThat(parsed.text()).isEmpty();
        assertInvalid(
                () -> parsed.requireLinux("cwd"),
                "cwd URI `" + uri + "` is not valid on this exec-server host: '" + uri + "' is invalid on 'linux'");
        assertThatThrownBy(parsed::bytes).isInstanceOf(RpcException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'file:///tmp?x=1', query parameters are not allowed in path URIs",
        "'file:///tmp?', query parameters are not allowed in path URIs",
        "'file:///tmp?a#b', query parameters are not allowed in path URIs",
        "'file:///tmp#x', fragments are not allowed in path URIs",
        "'file:///tmp#x?y', fragments are not allowed in path URIs",
        "'http://x/tmp', unsupported path URI scheme `http`",
        "'C:/tmp', unsupported path URI scheme `C`",
        "'tmp', invalid URI: relative URL without a base",
        "'', invalid URI: relative URL without a base",
        "':x', invalid URI: relative URL without a base",
        "'1a:x', invalid URI: relative URL without a base",
        "' file:///x', invalid URI: relative URL without a base",
        "'file:tmp', invalid URI: relative URL without a base",
        "'file:', invalid URI: relative URL without a base",
        "'file:///a%00b', path must not contain a NUL byte",
    })
    void whatIsNoPathUriIsRefused(String text, String error) {
        for (Dialect dialect : Dialect.values()) {
            assertInvalid(() -> PathUri.parse(text, dialect), error);
        }
    }

    @Test
    void nativePathsAreTakenLiterallyInTheOpenDialectOnly() {
        PathUri path = PathUri.parse("/a%20b/../c?#", Dialect.OPEN);
        assertThat(path.text()).contains("/a%20b/../c?#");
        assertInvalid(() -> PathUri.parse("/tmp", Dialect.STRICT), "invalid URI: relative URL without a base");
        assertInvalid(() -> PathUri.parse("/a\0b", Dialect.OPEN), "path must not contain a NUL byte");
        assertInvalid(() -> PathUri.ofNative("a"), "path must be absolute");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void namesThatAreNotUtf8Survive(Dialect dialect) {
        PathUri path = PathUri.parse("file:///x/%FF%FEy", dialect);
        assertThat(path.bytes()).isEqualTo(new byte[] {'/', 'x', '/', (byte) 0xFF, (byte) 0xFE, 'y'});
        assertThat(path.text()).isEmpty();
        assertThat(path.display()).isEqualTo("/x/\ufffd\ufffdy");
        assertThat(path.toUri()).isEqualTo("file:///x/%FF%FEy");
    }

    @Test
    void halfASurrogatePairIsNoPath() {
        assertInvalid(() -> PathUri.parse("/\ud800", Dialect.OPEN), "path contains half of a surrogate pair");
        assertInvalid(() -> PathUri.parse("file:///\udc00", Dialect.STRICT), "path contains half of a surrogate pair");
    }

    @Test
    void uriIsPlainAscii() {
        assertThat(PathUri.ofNative("/a b/ä/%41/?#[]{}'!~\\\n").toUri())
                .isEqualTo("file:///a%20b/%C3%A4/%2541/%3F%23[]%7B%7D'!~%5C%0A");
        assertThat(PathUri.ofNative("/C:/x").toUri()).isEqualTo("file:///C%3A/x");
    }

    @Test
    void bytesAreACopy() {
        byte[] given = {'/', 'a'};
        PathUri path = PathUri.ofNative(given);
        given[1] = 'b';
        path.bytes()[1] = 'c';
        assertThat(path).isEqualTo(PathUri.ofNative("/a")).hasSameHashCodeAs(PathUri.ofNative("/a"));
    }

    @Property(tries = 3000)
    void everyNativePathComesBackFromItsUri(@ForAll @Size(max = 30) byte[] name) {
        byte[] bytes = new byte[name.length + 1];
        bytes[0] = '/';
        for (int i = 0; i < name.length; i++) {
            // NUL is not allowed. Dots are avoided, because dot segments are resolved in URIs.
            bytes[i + 1] = name[i] == 0 || name[i] == '.' ? (byte) '/' : name[i];
        }
        PathUri path = PathUri.ofNative(bytes);
        assertThat(path.toUri()).matches("file:///[!-~]*");
        assertThat(PathUri.parse(path.toUri(), Dialect.STRICT)).isEqualTo(path);
        assertThat(PathUri.parse(path.toUri(), Dialect.STRICT).bytes()).isEqualTo(bytes);
    }

    @Property(tries = 5000)
    void anyStringIsAPathOrInvalidParams(@ForAll String text, @ForAll Dialect dialect, @ForAll Prefix prefix) {
        try {
            PathUri path = PathUri.parse(prefix.text + text, dialect);
            assertThat(path.display()).isNotEmpty();
            if (path.isValidOnLinux()) {
                assertThat(path.bytes()).startsWith('/').doesNotContain(0);
            }
        } catch (RpcException e) {
            assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS);
        }
    }

    enum Prefix {
        NONE(""),
        NATIVE("/"),
        SCHEME("file:"),
        URI("file:///"),
        HOST("file://"),
        ESCAPE("file:///%"),
        DOTS("file:///a/.%2e/");

        private final String text;

        Prefix(String text) {
            this.text = text;
        }
    }

    private static void assertInvalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS))
                .hasMessage(text);
    }
}
