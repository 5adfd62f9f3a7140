package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.files.RawConnection;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks the Host header of requests: it must occur once, be well-formed (RFC 9112 section 3.2) and name this server.
 * Stateless.
 */
final class HostHeader {
    private static final Pattern WELL_FORMED =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]*)?");

    private HostHeader() {}

    /** Refuses a missing, repeated or malformed header, and a header without a name, with 400; HTTP/1.0 needs no Host header. */
    static void check(Headers headers) {
        if (headers.stream().anyMatch(header -> header.name().isEmpty())) {
            throw HttpRefusal.of(Status.BAD_REQUEST_400, "a header has no name"); // Helidon (4.5.0) lets it pass
        }
        RawConnection.current()
                .authority()
                .filter(host -> !WELL_FORMED.matcher(host).matches())
                .ifPresent(_ -> {
                    throw HttpRefusal.of(Status.BAD_REQUEST_400, "the host in the request target is malformed");
                });
        List<String> hosts = all(headers);
        if (hosts.size() > 1) {
            throw HttpRefusal.of(Status.BAD_REQUEST_400, "more than one Host header");
        }
        if (hosts.isEmpty()) {
            if (!RawConnection.current().old()) {
                throw HttpRefusal.of(Status.BAD_REQUEST_400, "the Host header is missing");
            }
        } else if (!WELL_FORMED.matcher(hosts.getFirst().strip()).matches()) {
            throw HttpRefusal.of(Status.BAD_REQUEST_400, "the Host header is malformed");
        }
    }

    /**
     * Refuses a name that is not one of this server with 403. If the request target has an authority, both are checked.
     */
    static void check(Headers headers, HostNames names) {
        String host = String.join(", ", all(headers)).strip();
        names.refusal(RawConnection.current().authority().orElse(host))
                .or(() -> names.refusal(host))
                .ifPresent(why -> {
                    throw HttpRefusal.of(Status.FORBIDDEN_403, why);
                });
    }

    private static List<String> all(Headers headers) {
        return headers.contains(HeaderNames.HOST)
                ? headers.get(HeaderNames.HOST).allValues()
                : List.of();
    }
}
