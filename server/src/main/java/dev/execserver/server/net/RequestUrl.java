package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute http or https URL, read as leniently as browsers do (WHATWG URL): characters that a URI may not have are
 * escaped, dot segments are resolved, the host is in lower case, a default port is left out. Immutable.
 */
public final class RequestUrl {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):");
    private static final int MAX_PORT = 65_535;
    private static final int NO_PORT = -1;

    /** Longest URL in characters. No server takes longer ones. */
    static final int MAX_CHARS = 64 * 1024;

    private final String scheme;
    private final Optional<String> userInfo;
    private final String host;
    private final int port;
    private final String path;
    private final Optional<String> query;

    private RequestUrl(
            String scheme, Optional<String> userInfo, String host, int port, String path, Optional<String> query) {
        this.scheme = scheme;
        this.userInfo = userInfo;
        this.host = host;
        this.port = port;
        this.path = path;
        this.query = query;
    }

    /**
     * Parses a URL.
     *
     * @throws RpcException -32602 that says what is wrong
     */
    public static RequestUrl parse(String text) {
        if (text.length() > MAX_CHARS) {
            throw invalid("more than " + MAX_CHARS + " characters");
        }
        // Browsers drop white space around a URL, and tabs and line ends inside.
        String url = text.strip().replaceAll("[\t\r\n]", "");
        Matcher matcher = SCHEME.matcher(url);
        if (!matcher.lookingAt()) {
            throw invalid("relative URL without a base");
        }
        String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw RpcException.invalidParams("http/request only supports http and https URLs, got " + scheme);
        }
        int fragment = url.indexOf('#');
        String rest = fragment < 0 ? url : url.substring(0, fragment);
        int mark = rest.indexOf('?');
        Optional<String> query = mark < 0 ? Optional.empty() : Optional.of(UrlEscapes.query(rest.substring(mark + 1)));
        String location = (mark < 0 ? rest : rest.substring(0, mark))
                .substring(matcher.end())
                .replace('\\', '/');
        String behindSlashes = location.replaceFirst("^/*", "");
        int slash = behindSlashes.indexOf('/');
        String authority = slash < 0 ? behindSlashes : behindSlashes.substring(0, slash);
        String path = slash < 0 ? "/" : UrlEscapes.path(behindSlashes.substring(slash));
        return ofAuthority(scheme, authority, path, query);
    }

    private static RequestUrl ofAuthority(String scheme, String authority, String path, Optional<String> query) {
        int at = authority.lastIndexOf('@');
        Optional<String> userInfo =
                at <= 0 ? Optional.empty() : Optional.of(UrlEscapes.decoded(authority.substring(0, at)));
        String hostAndPort = authority.substring(at + 1);
        int bracket = hostAndPort.indexOf(']');
        int colon = hostAndPort.indexOf(':', Math.max(0, bracket));
        String host = UrlEscapes.host(colon < 0 ? hostAndPort : hostAndPort.substring(0, colon));
        int port = colon < 0 || colon == hostAndPort.length() - 1 ? NO_PORT : port(hostAndPort.substring(colon + 1));
        return new RequestUrl(scheme, userInfo, host, port == defaultPort(scheme) ? NO_PORT : port, path, query);
    }

    private static int port(String digits) {
        if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) > MAX_PORT) {
            throw invalid("invalid port number");
        }
        return Integer.parseInt(digits);
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("http") ? 80 : 443;
    }

    static RpcException invalid(String why) {
        return RpcException.invalidParams("http/request url is invalid: " + why);
    }

    /**
     * Resolves a Location header (RFC 9110 section 10.2.2) against this URL.
     *
     * @throws RpcException like {@link #parse}
     */
    RequestUrl resolve(String location) {
        String to = location.strip().replace('\\', '/');
        if (SCHEME.matcher(to).lookingAt()) {
            return parse(to);
        }
        if (to.startsWith("//")) {
            return parse(scheme + ":" + to);
        }
        String origin = scheme + "://" + authority();
        if (to.startsWith("/")) {
            return parse(origin + to);
        }
        if (to.isEmpty() || to.startsWith("?") || to.startsWith("#")) {
            return parse(origin
                    + path
                    + (to.startsWith("?") ? to : query.map(text -> "?" + text).orElse("")));
        }
        return parse(origin + path.substring(0, path.lastIndexOf('/') + 1) + to);
    }

    boolean secure() {
        return scheme.equals("https");
    }

    /** The host: a name in lower case or a literal address; an IPv6 address stands in brackets. */
    String host() {
        return host;
    }

    int port() {
        return port == NO_PORT ? defaultPort(scheme) : port;
    }

    /** The value of the Host header: the host, and the port unless it is the default one. */
    String authority() {
        return port == NO_PORT ? host : host + ":" + port;
    }

    /** {@code user:password}, not escaped. */
    Optional<String> userInfo() {
        return userInfo.map(text -> text.contains(":") ? text : text + ":");
    }

    /** Returns true if cookies and credentials for the one URL may go to the other. */
    boolean sameOrigin(RequestUrl other) {
        return scheme.equals(other.scheme) && host.equals(other.host) && port() == other.port();
    }

    /** Returns the origin with a slash, as in a Referer header. */
    String origin() {
        return scheme + "://" + authority() + "/";
    }

    /** Returns the URL for the JDK's client. */
    URI uri() {
        return URI.create(toString());
    }

    /** Returns the URL with this literal address as its host. */
    URI uriOf(String literal) {
        return URI.create(new RequestUrl(scheme, userInfo, literal, port, path, query).toString());
    }

    /** Omits user and password, which must not get into messages. */
    @Override
    public String toString() {
        return scheme + "://" + authority() + path
                + query.map(text -> "?" + text).orElse("");
    }

    /** Adds the server to an event. Paths and queries are not logged, because they may contain secrets. */
    public void describe(AccessEvent event) {
        event.put(AccessField.URL_SCHEME, scheme).put(AccessField.SERVER_ADDRESS, host);
        if (port != NO_PORT) {
            event.put(AccessField.SERVER_PORT, port);
        }
    }
}
