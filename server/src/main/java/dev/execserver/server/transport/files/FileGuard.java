package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.transport.auth.Authenticator;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Who may touch files over HTTP: nobody without authentication, and no web page whatever it knows. A page can make a
 * browser send requests to this machine under a name of its own (DNS rebinding); it cannot keep the browser from saying so
 * in the Host, Origin and Sec-Fetch headers. Immutable.
 */
final class FileGuard {

    private final Authenticator authenticator;
    private final List<String> allowedHosts;

    FileGuard(Authenticator authenticator, List<String> allowedHosts) {
        this.authenticator = authenticator;
        this.allowedHosts =
                allowedHosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }

    /** @throws FileRefusal that says what would help */
    void check(ServerRequest request) {
        ServerRequestHeaders headers = request.headers();
        refuseBrowsers(headers);
        if (authenticator == Authenticator.NONE) {
            throw forbidden("files are served over HTTP only with authentication; start the server with --ws-auth");
        }
        checkHost(headers);
        authenticator.refusal(first(headers, HeaderNames.AUTHORIZATION)).ifPresent(why -> {
            throw new FileRefusal(Status.UNAUTHORIZED_401, RpcException.invalidRequest(why));
        });
    }

    private static void refuseBrowsers(ServerRequestHeaders headers) {
        for (Header header : headers) {
            String name = header.headerName().lowerCase();
            if (name.equals("origin") || name.startsWith("sec-fetch-")) {
                throw forbidden("requests of web pages are refused; this one has the header " + name);
            }
        }
    }

    private void checkHost(ServerRequestHeaders headers) {
        String host = first(headers, HeaderNames.HOST).orElse("");
        String name = withoutPort(host).toLowerCase(Locale.ROOT);
        if (!literal(name) && !allowedHosts.contains(name)) {
            throw forbidden(
                    "the Host header `" + host + "` is neither a literal IP address nor named by --allowed-hosts");
        }
    }

    private static String withoutPort(String host) {
        int colon = host.indexOf(':', Math.max(0, host.indexOf(']')));
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static boolean literal(String name) {
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        String bare = bracketed ? name.substring(1, name.length() - 1) : name;
        // Without the look of an address it would be a name; without the dots a number that some resolvers take.
        if (bracketed ? !bare.contains(":") : !bare.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
            return false;
        }
        try {
            InetAddress unused = InetAddress.ofLiteral(bare);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<String> first(ServerRequestHeaders headers, HeaderName name) {
        return headers.contains(name) ? Optional.of(headers.get(name).get().strip()) : Optional.empty();
    }

    private static FileRefusal forbidden(String why) {
        return new FileRefusal(Status.FORBIDDEN_403, RpcException.invalidRequest(why));
    }
}
