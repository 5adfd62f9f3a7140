package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.files.RawConnection;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import java.util.List;
import java.util.regex.Pattern;

/** Checks the Host header of requests: there once and well-formed (RFC 9112 section 3.2), and a name of ours. Stateless. */
final class HostHeader {
    private static final Pattern WELL_FORMED =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]*)?");

    private HostHeader() {}

    /** Refuses with 400 what is missing, ambiguous or malformed; HTTP/1.0 has no Host header. */
    static void check(Headers headers) {
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

    /** Refuses with 403 what is no name of this server. The authority of the target counts when there is one, and then the header too. */
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
