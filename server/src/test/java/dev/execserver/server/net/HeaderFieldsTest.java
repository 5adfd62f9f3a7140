package dev.execserver.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.net.RequestHeader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFieldsTest {

    private static final EnvironmentValues ENVIRONMENT = new EnvironmentValues(
            Map.of(
                    "GOOD", "value",
                    "EMPTY", "",
                    "LINES", "a\nb",
                    "OPENAI_API_KEY", "secret",
                    "EXEC_SERVER_WS_TOKEN_SHA256", "digest",
                    "MINE", "secret"),
            List.of("Mine"));

    private static HeaderFields of(String name, String value) {
        return HeaderFields.of(List.of(RequestHeader.of(name, value)), ENVIRONMENT, 4);
    }

    private static HeaderFields ofVariable(String variable) {
        return HeaderFields.of(List.of(new RequestHeader("X", "p-", Optional.of(variable))), ENVIRONMENT, 0);
    }

    private static void assertRefused(Runnable work, String text) {
        assertThatExceptionOfType(RpcException.class).isThrownBy(work::run).withMessage(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bad name", "a:b", "é", "a\n"})
    void aNameIsAToken(String name) {
        assertRefused(() -> of(name, "x"), "http/request header name is invalid: invalid HTTP header name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\0b", "\u007f"})
    void aValueHasNoControls(String value) {
        assertRefused(() -> of("X", value), "http/request header value is invalid for X: failed to parse header value");
    }

    @Test
    void aValueBeyondAsciiIsRefusedRatherThanMangled() {
        assertRefused(
                () -> of("X", "é"), "http/request header value is invalid for X: only ASCII characters can be sent");
    }

    @Test
    void tabsAndBlanksAreFine() {
        assertThat(of("X", " a\tb ").fields()).containsExactly(new HeaderFields.Field("x", " a\tb ", false));
    }

    @Test
    void aSecondHostIsRefused() {
        List<RequestHeader> two = List.of(RequestHeader.of("Host", "a.example"), RequestHeader.of("host", "b.example"));
        assertRefused(
                () -> HeaderFields.of(two, ENVIRONMENT, 0),
                "http/request header value is invalid for host: there is one already; a request has one Host");
    }

    @Test
    void theLengthOfTheBodyIsNotTheClientsBusiness() {
        assertThat(of("Content-Length", "4").fields()).isEmpty();
        assertThat(of("Transfer-Encoding", "chunked").fields()).isEmpty();
        assertRefused(
                () -> of("Content-Length", "2"),
                "http/request header value is invalid for content-length: the body has 4 bytes; leave this header out");
        assertRefused(
                () -> of("Transfer-Encoding", "gzip"),
                "http/request header value is invalid for transfer-encoding: only chunked is known; leave this header out");
    }

    @Test
    void aVariableIsAppendedToTheValue() {
        assertThat(ofVariable("GOOD").fields()).containsExactly(new HeaderFields.Field("x", "p-value", true));
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_SET, requires executor environment variable NOT_SET",
        "EMPTY, requires a non-empty executor environment variable EMPTY",
        "OPENAI_API_KEY, cannot use executor environment variable OPENAI_API_KEY",
        "openai_api_key, cannot use executor environment variable openai_api_key",
        "CODEX_API_KEY, cannot use executor environment variable CODEX_API_KEY",
        "CODEX_ACCESS_TOKEN, cannot use executor environment variable CODEX_ACCESS_TOKEN",
        "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN, cannot use executor environment variable CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
        "EXEC_SERVER_WS_TOKEN_SHA256, cannot use executor environment variable EXEC_SERVER_WS_TOKEN_SHA256",
        "MINE, cannot use executor environment variable MINE"
    })
    void credentialsOfTheServerAndNamesOfTheOperatorAreRefused(String variable, String why) {
        assertRefused(() -> ofVariable(variable), "http/request header X " + why);
    }

    @Test
    void aVariableWithALineEndIsNoHeader() {
        assertRefused(
                () -> ofVariable("LINES"), "http/request header value is invalid for X: failed to parse header value");
    }

    @Test
    void anotherServerGetsNoCredentialsAndNoVariables() {
        HeaderFields all = HeaderFields.of(
                List.of(
                        RequestHeader.of("Authorization", "a"),
                        RequestHeader.of("Cookie", "c"),
                        RequestHeader.of("Host", "h"),
                        new RequestHeader("X-Key", "", Optional.of("GOOD")),
                        RequestHeader.of("X-Plain", "p")),
                ENVIRONMENT,
                0);
        assertThat(all.forOtherOrigin().fields()).containsExactly(new HeaderFields.Field("x-plain", "p", false));
    }
}
