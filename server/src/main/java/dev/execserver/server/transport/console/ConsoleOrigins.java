package dev.execserver.server.transport.console;

import dev.execserver.server.transport.auth.HostNames;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Origins from which the console may ask: the server's own, which is the scheme of the listener and the Host header, and those that
 * the operator lists. A Host header must be a name that this server may have, so that no page of another name (DNS rebinding) has
 * the server's own origin. Immutable.
 */
public final class ConsoleOrigins {
    private final List<String> allowed;
    private final HostNames hosts;
    private final String scheme;

    public ConsoleOrigins(List<String> allowed, HostNames hosts, boolean tls) {
        this.allowed = allowed.stream().map(ConsoleOrigins::normal).toList();
        this.hosts = hosts;
        this.scheme = tls ? "https://" : "http://";
    }

    /** Returns the reason why a request is refused for its name of this server. */
    Optional<String> hostRefusal(Headers headers) {
        return hosts.refusal(host(headers));
    }

    /** Returns the reason why a request is refused for where it comes from; a request without an origin is refused too. */
    Optional<String> refusal(Headers headers) {
        Optional<String> strange = hostRefusal(headers);
        if (strange.isPresent()) {
            return strange;
        }
        List<String> origins = all(headers, HeaderNames.ORIGIN);
        if (origins.size() != 1) {
            return Optional.of("the console needs one Origin header");
        }
        String origin = normal(origins.getFirst());
        return origin.equals(normal(scheme + host(headers))) || allowed.contains(origin)
                ? Optional.empty()
                : Optional.of("the origin is neither the server's own nor named by --allowed-origins");
    }

    /** Does the same for a request that browsers send without an origin when the page is the server's own. */
    Optional<String> refusalIfAny(Headers headers) {
        return headers.contains(HeaderNames.ORIGIN) ? refusal(headers) : hostRefusal(headers);
    }

    private static String host(Headers headers) {
        return String.join(", ", all(headers, HeaderNames.HOST));
    }

    private static List<String> all(Headers headers, HeaderName name) {
        return headers.contains(name) ? headers.get(name).allValues() : List.of();
    }

    private static String normal(String origin) {
        return origin.strip().toLowerCase(Locale.ROOT);
    }
}
