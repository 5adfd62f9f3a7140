package dev.execserver.client.transport;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Parts of a WebSocket URL.
 *
 * @param host without the brackets of an IPv6 address
 * @param target path and query of the request line
 */
public record Endpoint(boolean tls, String host, int port, String target) {

    /**
     * Reads {@code ws://HOST:PORT} or {@code wss://HOST:PORT}, with an optional path; default ports are 80 and 443.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Endpoint parse(String url) {
        if (url.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("the URL `" + url + "` has a blank in it; write ws://HOST:PORT");
        }
        if (!url.contains("://")) {
            throw new IllegalArgumentException(
                    "the URL `%s` has no scheme; write ws://%s, or wss://%s for a server with TLS"
                            .formatted(url, url, url));
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "`" + url + "` is no URL: " + e.getReason() + "; write ws://HOST:PORT", e);
        }
        boolean tls = "wss".equalsIgnoreCase(uri.getScheme());
        if ((!tls && !"ws".equalsIgnoreCase(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException("not a ws:// or wss:// URL: " + url);
        }
        if (uri.getUserInfo() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException("user names and fragments do not belong into the URL: " + url);
        }
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return new Endpoint(tls, host, port, uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    }

    /** Returns the path before which further paths of the server begin: without its query and the slash at its end. */
    public String base() {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Returns the value of the Host header, without the default port of the scheme. */
    public String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }
}
