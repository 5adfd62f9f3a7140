package dev.execserver.client.http;

import dev.execserver.protocol.net.HttpRequestParams;
import dev.execserver.protocol.net.RedirectPolicy;
import dev.execserver.protocol.net.RequestHeader;
import dev.execserver.protocol.rpc.Base64Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Description of an HTTP request. Mutable and not thread-safe; every method that sets something returns this. */
public final class HttpSpec {

    private final String method;
    private final String url;
    private final List<RequestHeader> headers = new ArrayList<>();
    private Optional<byte[]> body = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();
    private RedirectPolicy redirects = RedirectPolicy.FOLLOW;

    private HttpSpec(String method, String url) {
        this.method = method;
        this.url = url;
    }

    public static HttpSpec get(String url) {
        return of("GET", url);
    }

    public static HttpSpec of(String method, String url) {
        return new HttpSpec(method, url);
    }

    /** Adds a header field; a repeated name makes a second field. */
    public HttpSpec header(String name, String value) {
        headers.add(RequestHeader.of(name, value));
        return this;
    }

    /**
     * Adds a header field whose value is {@code prefix} and a variable of the server's environment. The value of the
     * variable stays on the server.
     */
    public HttpSpec headerFromServer(String name, String prefix, String variable) {
        headers.add(new RequestHeader(name, prefix, Optional.of(variable)));
        return this;
    }

    /** Sets the body. The array is not copied. */
    public HttpSpec body(byte[] bytes) {
        body = Optional.of(bytes);
        return this;
    }

    /** Sets the limit for the whole exchange, the end of the body included; default none. */
    public HttpSpec timeout(Duration limit) {
        timeout = Optional.of(limit);
        return this;
    }

    /** Sets the handling of redirects; default: they are followed. */
    public HttpSpec redirects(RedirectPolicy policy) {
        redirects = policy;
        return this;
    }

    Optional<Duration> timeout() {
        return timeout;
    }

    HttpRequestParams params(boolean stream) {
        return new HttpRequestParams(
                method,
                url,
                headers,
                body.map(Base64Data::ofBytes),
                timeout.isPresent() ? OptionalLong.of(timeout.get().toMillis()) : OptionalLong.empty(),
                redirects,
                "java-" + UUID.randomUUID(),
                stream);
    }
}
