package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The listener and its access checks.
 *
 * @param url address to listen on
 * @param auth proof that a WebSocket upgrade must give
 * @param tls certificate and key for {@code wss://}; plain {@code ws://} if empty
 * @param originGuard true to refuse every request with an {@code Origin} header, so that no web page can reach the
 *     server
 * @param exitOnStdinClose true if the end of standard input ends a WebSocket server; a stdio server always ends then
 */
public record Listen(ListenUrl url, Auth auth, Optional<Tls> tls, boolean originGuard, boolean exitOnStdinClose) {
    public static final boolean DEFAULT_ORIGIN_GUARD = true;
    public static final boolean DEFAULT_EXIT_ON_STDIN_CLOSE = false;

    public static final Listen DEFAULTS = new Listen(
            ListenUrl.DEFAULT, new Auth.None(), Optional.empty(), DEFAULT_ORIGIN_GUARD, DEFAULT_EXIT_ON_STDIN_CLOSE);

    public Listen {
        requireNonNull(url, "url");
        requireNonNull(auth, "auth");
        requireNonNull(tls, "tls");
    }

    public Listen withUrl(ListenUrl newUrl) {
        return new Listen(newUrl, auth, tls, originGuard, exitOnStdinClose);
    }

    public Listen withAuth(Auth newAuth) {
        return new Listen(url, newAuth, tls, originGuard, exitOnStdinClose);
    }

    public Listen withTls(Tls newTls) {
        return new Listen(url, auth, Optional.of(newTls), originGuard, exitOnStdinClose);
    }

    public Listen withOriginGuard(boolean newOriginGuard) {
        return new Listen(url, auth, tls, newOriginGuard, exitOnStdinClose);
    }

    /** Returns true if other machines can reach the server without authentication. */
    public boolean openToOthers() {
        return switch (url) {
            case ListenUrl.WebSocket webSocket -> !webSocket.loopback() && auth instanceof Auth.None;
            case ListenUrl.Stdio _ -> false;
        };
    }
}
