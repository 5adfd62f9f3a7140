package dev.execserver.server.proxy.http;

import dev.execserver.server.proxy.rules.HostName;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/**
 * The head of a request to the proxy.
 *
 * @param tunnel true for CONNECT
 * @param path path and query of the target; empty for a tunnel
 * @param http10 true if the client speaks HTTP/1.0
 */
public record RequestHead(
        String method, boolean tunnel, String host, int port, String path, boolean http10, HttpFields fields) {

    private static final int MAX_METHOD = 32;
    private static final int HTTP_PORT = 80;

    /** Host and port of a request. */
    private record Authority(String host, int port) {}

    /**
     * Reads a head.
     *
     * @param maxBytes longest head
     * @throws BadRequestException if it is no HTTP/1.x request, or can be read as two different ones
     */
    public static RequestHead read(PeerInput in, int maxBytes) throws IOException {
        String line = in.line(maxBytes);
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !HttpFields.isToken(parts[0]) || parts[0].length() > MAX_METHOD) {
            throw new BadRequestException("a request line that is none");
        }
        boolean http10 = parts[2].equals("HTTP/1.0");
        if (!http10 && !parts[2].equals("HTTP/1.1")) {
            throw new BadRequestException("a version other than HTTP/1.0 and HTTP/1.1");
        }
        if (!parts[1].chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#')) {
            throw new BadRequestException("a request target with characters that none may have");
        }
        HttpFields fields = HttpFields.read(in, maxBytes - line.length() - 2);
        Optional<String> host = fields.single("host");
        if (host.isEmpty() && !http10) {
            throw new BadRequestException("no Host header");
        }
        return of(parts[0], parts[1], http10, fields, host);
    }

    private static RequestHead of(
            String method, String target, boolean http10, HttpFields fields, Optional<String> host)
            throws BadRequestException {
        if (method.equals("CONNECT")) {
            Authority authority = authority(target, 0);
            return new RequestHead(method, true, authority.host(), authority.port(), "", http10, fields);
        }
        if (target.startsWith("/") || target.equals("*")) {
            Authority authority = authority(
                    host.orElseThrow(() -> new BadRequestException("a request that names no host")), HTTP_PORT);
            return new RequestHead(method, false, authority.host(), authority.port(), target, http10, fields);
        }
        String scheme = "http://";
        if (!target.toLowerCase(Locale.ROOT).startsWith(scheme)) {
            throw new BadRequestException(
                    "a request target that is neither an http URL nor a path; https goes by CONNECT");
        }
        return absolute(method, target.substring(scheme.length()), http10, fields, host);
    }

    private static RequestHead absolute(
            String method, String rest, boolean http10, HttpFields fields, Optional<String> host)
            throws BadRequestException {
        int end = 0;
        while (end < rest.length() && "/?\\".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String named = rest.substring(0, end);
        // A client must put credentials into a header, not into the URL (RFC 9110, section 4.2.4); here they are
        // dropped.
        Authority authority = authority(named.substring(named.lastIndexOf('@') + 1), HTTP_PORT);
        if (host.isPresent() && !authority(host.get(), HTTP_PORT).equals(authority)) {
            throw new BadRequestException("Host header does not match request target");
        }
        String path = rest.substring(end);
        return new RequestHead(
                method,
                false,
                authority.host(),
                authority.port(),
                path.startsWith("/") ? path : "/" + path,
                http10,
                fields);
    }

    /** @param defaultPort 0 for none */
    private static Authority authority(String text, int defaultPort) throws BadRequestException {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String digits = hasPort ? text.substring(colon + 1) : "";
        if (hasPort && !digits.matches("[0-9]{1,5}") || !hasPort && defaultPort == 0) {
            throw new BadRequestException("an authority without a valid port");
        }
        int port = hasPort ? Integer.parseInt(digits) : defaultPort;
        Optional<String> host = HostName.normalize(hasPort ? text.substring(0, colon) : text);
        if (host.isEmpty() || port < 1 || port > 65_535) {
            throw new BadRequestException("an authority without a valid host and port");
        }
        return new Authority(host.get(), port);
    }

    /** Returns the protocol that the client wants to switch to on this connection, if any. */
    public Optional<String> upgrade() throws BadRequestException {
        return fields.tokens("connection").contains("upgrade") ? fields.single("upgrade") : Optional.empty();
    }

    public String hostHeader() {
        return HostName.bracketed(host) + (port == HTTP_PORT ? "" : ":" + port);
    }
}
