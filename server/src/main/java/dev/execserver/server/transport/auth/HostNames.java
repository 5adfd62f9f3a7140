package dev.execserver.server.transport.auth;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Names under which clients may address this server: literal addresses, and names that the operator lists. A web page
 * can lead a browser to this machine under a name of the page's owner (DNS rebinding); the browser sends that name,
 * which is refused. Immutable.
 */
public final class HostNames {
    private final List<String> allowed;

    private HostNames(List<String> allowed) {
        this.allowed = allowed;
    }

    /** @param allowed names that are allowed in addition to literal addresses */
    public static HostNames of(List<String> allowed) {
        return new HostNames(
                allowed.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList());
    }

    /**
     * Returns the reason why a Host header, or the authority of a request target, is refused; empty if it is allowed.
     *
     * @param host with or without a port
     */
    public Optional<String> refusal(String host) {
        String name = withoutPort(host).toLowerCase(Locale.ROOT);
        return literal(name) || allowed.contains(name)
                ? Optional.empty()
                : Optional.of(
                        "the Host header `" + host + "` is neither a literal IP address nor named by --allowed-hosts");
    }

    private static String withoutPort(String host) {
        int colon = host.indexOf(':', Math.max(0, host.indexOf(']')));
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static boolean literal(String name) {
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        String bare = bracketed ? name.substring(1, name.length() - 1) : name;
        // Accept only the usual forms. A text in another form may be a name, or, without dots, a number that some
        // resolvers take.
        if (bracketed ? !bare.contains(":") : !bare.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
            return false;
        }
        try {
            InetAddress _ = InetAddress.ofLiteral(bare);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
