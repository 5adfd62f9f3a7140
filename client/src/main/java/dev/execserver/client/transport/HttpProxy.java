package dev.execserver.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * HTTP proxy through which a client connects, by the method CONNECT (RFC 9110 section 9.3.6).
 *
 * @param credentials user and password with a colon between them, sent as Basic credentials
 */
public record HttpProxy(String host, int port, Optional<String> credentials) {

    private static final int DEFAULT_PORT = 80;

    /**
     * Reads {@code http://HOST:PORT} or {@code http://USER:PASSWORD@HOST:PORT}.
     *
     * @throws IllegalArgumentException for anything else; its message does not repeat the password
     */
    public static HttpProxy parse(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
        boolean plain = uri.getRawPath() == null
                || uri.getRawPath().isEmpty()
                || uri.getRawPath().equals("/");
        if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null || !plain || uri.getRawQuery() != null) {
            throw invalid();
        }
        String host = uri.getHost().replace("[", "").replace("]", "");
        return new HttpProxy(
                host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), Optional.ofNullable(uri.getUserInfo()));
    }

    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException("the URL of a proxy is http://HOST:PORT or http://USER:PASSWORD@HOST:PORT");
    }

    /** Returns the proxy for the client of the JDK. */
    public ProxySelector selector() {
        return ProxySelector.of(InetSocketAddress.createUnresolved(host, port));
    }

    InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** Makes the proxy connect to the server. The streams then belong to that connection. */
    void connect(Endpoint endpoint, InputStream in, OutputStream out) throws IOException {
        String name = endpoint.host().indexOf(':') >= 0 ? "[" + endpoint.host() + "]" : endpoint.host();
        String target = name + ":" + endpoint.port();
        out.write(("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                        + credentials
                                .map(text -> "Proxy-Authorization: Basic "
                                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                                        + "\r\n")
                                .orElse("")
                        + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        int status;
        try {
            status = Upgrade.status(Upgrade.head(in).split("\r\n")[0]);
        } catch (EOFException e) {
            throw new IOException("the proxy " + this + " closed the connection", e);
        }
        if (status / 100 != 2) {
            throw new IOException("the proxy " + this + " does not connect to " + target + ": HTTP status " + status);
        }
    }

    /** Returns the address without the credentials. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
