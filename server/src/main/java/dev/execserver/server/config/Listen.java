package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The listener and its access checks.
 *
 * @param urls addresses to listen on, at least one
 * @param localAccess who may use the Unix sockets among them
 * @param auth proof that a WebSocket upgrade must give
 * @param tls certificate and key for {@code wss://}; plain {@code ws://} if empty
 * @param originGuard true to refuse every request with an {@code Origin} header, so that no web page can reach the
 *     server
 * @param exitOnStdinClose true if the end of standard input ends a WebSocket server; a stdio server always ends then
 * @param sandboxd addresses of the runtime interface of sandboxes
 */
public record Listen(
        List<ListenUrl> urls,
        Auth auth,
        Optional<Tls> tls,
        boolean originGuard,
        boolean exitOnStdinClose,
        LocalAccess localAccess,
        List<InetSocketAddress> sandboxd) {
    public static final boolean DEFAULT_ORIGIN_GUARD = true;
    public static final boolean DEFAULT_EXIT_ON_STDIN_CLOSE = false;

    public static final Listen DEFAULTS = new Listen(
            List.of(ListenUrl.DEFAULT),
            new Auth.None(),
            Optional.empty(),
            DEFAULT_ORIGIN_GUARD,
            DEFAULT_EXIT_ON_STDIN_CLOSE,
            LocalAccess.DEFAULTS,
            List.of());

    public Listen {
        urls = List.copyOf(urls);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a server needs an address");
        }
        if (urls.size() > 1 && urls.contains(new ListenUrl.Stdio())) {
            throw new IllegalArgumentException("stdio is one connection and goes with no other address");
        }
        sandboxd = List.copyOf(sandboxd);
        if (!sandboxd.isEmpty() && urls.contains(new ListenUrl.Stdio())) {
            throw new IllegalArgumentException("stdio goes with no other address, not even of --sandboxd");
        }
        requireNonNull(auth, "auth");
        requireNonNull(tls, "tls");
        requireNonNull(localAccess, "localAccess");
    }

    public Listen withUrl(ListenUrl newUrl) {
        return withUrls(List.of(newUrl));
    }

    public Listen withUrls(List<ListenUrl> newUrls) {
        return new Listen(newUrls, auth, tls, originGuard, exitOnStdinClose, localAccess, sandboxd);
    }

    public Listen withAuth(Auth newAuth) {
        return new Listen(urls, newAuth, tls, originGuard, exitOnStdinClose, localAccess, sandboxd);
    }

    public Listen withTls(Tls newTls) {
        return new Listen(urls, auth, Optional.of(newTls), originGuard, exitOnStdinClose, localAccess, sandboxd);
    }

    public Listen withOriginGuard(boolean newOriginGuard) {
        return new Listen(urls, auth, tls, newOriginGuard, exitOnStdinClose, localAccess, sandboxd);
    }

    public Listen withLocalAccess(LocalAccess newAccess) {
        return new Listen(urls, auth, tls, originGuard, exitOnStdinClose, newAccess, sandboxd);
    }

    /** Returns the address that launchers are told: the first one on a network, else the first one. */
    public ListenUrl url() {
        return urls.stream()
                .filter(url -> url.place() instanceof ListenUrl.WebSocket)
                .findFirst()
                .orElseGet(urls::getFirst);
    }

    /** Returns true if other machines can reach the server without authentication. */
    public boolean openToOthers() {
        return auth instanceof Auth.None
                && urls.stream()
                        .anyMatch(url -> url.place() instanceof ListenUrl.WebSocket webSocket && !webSocket.loopback());
    }
}
