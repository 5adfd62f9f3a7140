package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the proxy of a request by the variables {@code HTTP_PROXY}, {@code HTTPS_PROXY}, {@code ALL_PROXY} and
 * {@code NO_PROXY} of the server's environment, in upper or lower case. Requests to this machine never use a proxy.
 * Immutable.
 *
 * <p>As a {@link ProxySelector} it serves only requests for which a proxy was already chosen.
 */
final class Proxies extends ProxySelector {

    private final Map<String, String> environment;
    private final List<String> exceptions;

    Proxies(Map<String, String> environment) {
        this.environment = environment;
        this.exceptions = Arrays.stream(variable("NO_PROXY").orElse("").split(","))
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** Returns the proxy for a URL, or empty for none. */
    Optional<RequestUrl> choose(RequestUrl url) {
        if (LiteralAddress.isLoopback(url.host()) || exceptions.stream().anyMatch(entry -> excepts(entry, url))) {
            return Optional.empty();
        }
        return forScheme(url.secure());
    }

    private Optional<RequestUrl> forScheme(boolean secure) {
        // In a CGI program HTTP_PROXY holds the Proxy header of its own request (httpoxy, CVE-2016-5385).
        boolean trusted = secure || !environment.containsKey("REQUEST_METHOD");
        Optional<String> own = trusted ? variable(secure ? "HTTPS_PROXY" : "HTTP_PROXY") : Optional.empty();
        return own.or(() -> variable("ALL_PROXY")).map(Proxies::parse);
    }

    private Optional<String> variable(String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT))
                .map(environment::get)
                .filter(value -> value != null && !value.isBlank())
                .findFirst();
    }

    private static RequestUrl parse(String value) {
        String text = value.strip();
        int scheme = text.indexOf("://");
        if (scheme >= 0 && !text.regionMatches(true, 0, "http://", 0, "http://".length())) {
            throw RpcException.internal("http/request failed: a proxy of the kind `"
                            + text.substring(0, scheme).toLowerCase(Locale.ROOT)
                            + "` is not supported, only http; see the proxy variables of the server's environment")
                    .withData("reason", "proxy");
        }
        try {
            return RequestUrl.parse(scheme >= 0 ? text : "http://" + text);
        } catch (RpcException e) {
            // The value may hold a password, so the error does not repeat it.
            throw RpcException.internal(
                            "http/request failed: a proxy variable of the server's environment does not hold a URL")
                    .withData("reason", "proxy");
        }
    }

    private static boolean excepts(String entry, RequestUrl url) {
        String host = url.host();
        if (entry.equals("*") || entry.equals(host) || entry.equals(url.authority())) {
            return true;
        }
        Optional<InetAddress> address = LiteralAddress.of(host);
        if (address.isPresent()) {
            return inRange(address.get(), entry);
        }
        return host.endsWith(entry.startsWith(".") ? entry : "." + entry);
    }

    /** Returns true if the entry is this address or a range that holds it, such as {@code 10.0.0.0/8}. */
    private static boolean inRange(InetAddress address, String entry) {
        int slash = entry.indexOf('/');
        String literal = slash < 0 ? entry : entry.substring(0, slash);
        Optional<InetAddress> network = LiteralAddress.of(literal.contains(":") ? "[" + literal + "]" : literal);
        byte[] bytes = address.getAddress();
        if (network.isEmpty() || network.get().getAddress().length != bytes.length) {
            return false;
        }
        String digits = slash < 0 ? Integer.toString(bytes.length * 8) : entry.substring(slash + 1);
        if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > bytes.length * 8) {
            return false;
        }
        byte[] prefix = network.get().getAddress();
        for (int bit = 0; bit < Integer.parseInt(digits); bit++) {
            if (((bytes[bit / 8] ^ prefix[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Proxy> select(URI uri) {
        RequestUrl proxy = forScheme(uri.getScheme().equals("https"))
                .orElseThrow(() -> new IllegalStateException("no proxy for " + uri));
        return List.of(
                new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(bare(proxy.host()), proxy.port())));
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Does nothing; the JDK's client does not call it. */
    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // the request reports the failure
    }
}
