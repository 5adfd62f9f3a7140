package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.auth.Subject;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * Decides which requests may touch files or run commands over HTTP: none without authentication, and none of a web page, even with a
 * valid token. A page can make a browser send requests to this machine under a name of the page's owner (DNS
 * rebinding). The browser then reveals that in the Host, Origin and Sec-Fetch headers. Immutable.
 */
public final class FileGuard {

    private final Authenticator authenticator;
    private final HostNames hosts;
    private final String what;
    private final boolean open;

    /** Makes a guard that admits clients without authentication if the server has none: its address is for this machine only. */
    public static FileGuard ofLoopback(Authenticator authenticator, HostNames hosts) {
        return new FileGuard(authenticator, hosts, "", true);
    }

    /** @param what the server does for a request, for the text of a refusal: {@code files are served} */
    public FileGuard(Authenticator authenticator, HostNames hosts, String what) {
        this(authenticator, hosts, what, false);
    }

    private FileGuard(Authenticator authenticator, HostNames hosts, String what, boolean open) {
        this.open = open;
        this.what = what;
        this.authenticator = authenticator;
        this.hosts = hosts;
    }

    /**
     * Checks a request.
     *
     * @param patience of the connection
     * @return the owner that the token of the request names
     * @throws FileRefusal with a text that names a remedy
     */
    public Optional<Subject> check(ServerRequest request, TransferTimeouts patience) {
        ServerRequestHeaders headers = request.headers();
        refuseBrowsers(headers);
        if (authenticator == Authenticator.NONE && !open) {
            throw forbidden(what + " over HTTP only with authentication; start the server with --ws-auth");
        }
        checkHost(headers);
        return switch (authenticator.check(
                PresentedCredentials.of(request.remotePeer(), headers, patience::refusedSoon))) {
            case Admission.Granted(var subject) -> subject;
            case Admission.Refused(String why) ->
                throw new FileRefusal(Status.UNAUTHORIZED_401, RpcException.invalidRequest(why));
        };
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
        String host = String.join(", ", all(headers, HeaderNames.HOST));
        hosts.refusal(RawConnection.current().authority().orElse(host))
                .or(() -> hosts.refusal(host))
                .ifPresent(why -> {
                    throw forbidden(why);
                });
    }

    private static List<String> all(ServerRequestHeaders headers, HeaderName name) {
        return headers.contains(name) ? headers.get(name).allValues() : List.of();
    }

    private static FileRefusal forbidden(String why) {
        return new FileRefusal(Status.FORBIDDEN_403, RpcException.invalidRequest(why));
    }
}
