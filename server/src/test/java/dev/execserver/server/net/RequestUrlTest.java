package dev.execserver.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestUrlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "http://a http://a/",
                "HTTP://A.Example:80/x http://a.example/x",
                "https://a:443 https://a/",
                "https://a:80/ https://a:80/",
                "http://a/b/../c/./d http://a/c/d",
                "http://a/b/%2e%2E/c http://a/c",
                "http://a/../../x http://a/x",
                "http://a/b/.. http://a/",
                "http:///a/b http://a/b",
                "http:\\\\a\\b http://a/b",
                "http://a/b#c http://a/b",
                "http://a?x=1#c http://a/?x=1",
                "http://a/é?é=| http://a/%C3%A9?%C3%A9=%7C",
                "http://a/[x]{y} http://a/%5Bx%5D%7By%7D",
                "http://a/100% http://a/100%25",
                "http://a/%41 http://a/%41",
                "http://bücher.example/ http://xn--bcher-kva.example/",
                "http://[::1]:8080/ http://[::1]:8080/",
                "http://user:secret@a/ http://a/",
                "http://a:/ http://a/"
            })
    void urlsAreUnderstoodAsBrowsersDo(String given, String sent) {
        RequestUrl url = RequestUrl.parse(given);
        assertThat(url).hasToString(sent);
        assertThat(url.uri()).hasToString(sent);
    }

    @Test
    void blanksAroundAreDroppedAndInsideEscaped() {
        assertThat(RequestUrl.parse(" http://a/b c\t")).hasToString("http://a/b%20c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "notaurl!relative URL without a base",
                "/x!relative URL without a base",
                "http://!empty host",
                "http://a:99999/!invalid port number",
                "http://a:-1/!invalid port number",
                "http://a:8x/!invalid port number",
                "http://a b/!invalid domain character",
                "http://a%00/!invalid domain character",
                "http://[::zz]/!invalid IPv6 address",
                "http://[1.2.3.4]/!invalid IPv6 address",
            })
    void whatIsNoUrlIsNamed(String given, String why) {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> RequestUrl.parse(given))
                .withMessage("http/request url is invalid: " + why);
    }

    @Test
    void onlyHttpIsSpoken() {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> RequestUrl.parse("FTP://x/"))
                .withMessage("http/request only supports http and https URLs, got ftp");
    }

    @Test
    void aUrlOfTheLargestLengthIsTakenAndOneMoreIsNot() {
        String longest = "http://a/" + "x".repeat(RequestUrl.MAX_CHARS - "http://a/".length());
        assertThat(RequestUrl.parse(longest)).hasToString(longest);
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> RequestUrl.parse(longest + "x"))
                .withMessageContaining("more than 65536 characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/c http://a/c",
                "c http://a/x/c",
                "../c http://a/c",
                "?q http://a/x/y?q",
                "//b/c http://b/c",
                "https://b https://b/",
                "#f http://a/x/y?z"
            })
    void redirectsLeadFromWhereTheyWere(String location, String target) {
        assertThat(RequestUrl.parse("http://a/x/y?z").resolve(location)).hasToString(target);
    }

    @Test
    void credentialsOfTheUrlAreKnownAndNeverShown() {
        RequestUrl url = RequestUrl.parse("http://us%40er:p%3Aw@a/");
        assertThat(url.userInfo()).contains("us@er:p:w");
        assertThat(url.toString()).doesNotContain("us");
    }
}
