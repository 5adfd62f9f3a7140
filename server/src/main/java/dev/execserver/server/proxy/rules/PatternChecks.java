package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of patterns that are well formed but could never allow anything. Stateless. */
final class PatternChecks {

    /** The beginning of an IPv4 address with stars for the rest, as people write networks. */
    private static final Pattern NETWORK = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){0,2})(?:\\.\\*)+");

    private PatternChecks() {}

    /**
     * Checks a pattern that allows hosts or has them reviewed.
     *
     * @param localBinding true if private addresses are like others
     * @throws dev.execserver.protocol.rpc.RpcException if it stands only for closed addresses, which a star does not open
     */
    static void requireReachable(HostPattern pattern, boolean localBinding) {
        if (pattern.exact()) {
            return;
        }
        if (!localBinding && HostName.isLocalName(pattern.glob())) {
            throw closed(pattern, "localhost", "or set allowLocalBinding");
        }
        Matcher network = NETWORK.matcher(pattern.glob());
        if (!network.matches()) {
            return;
        }
        String[] bytes = (network.group(1) + ".0.0.0").split("\\.");
        String first = String.join(".", bytes[0], bytes[1], bytes[2], bytes[3]);
        InetAddress address = HostName.literal(first)
                .orElseThrow(() -> HostPattern.invalid("domain pattern can never match: " + pattern.text()));
        switch (AddressScope.of(address)) {
            case PUBLIC -> {}
            case LOCAL -> {
                if (!localBinding) {
                    throw closed(pattern, "a private network", "or set allowLocalBinding");
                }
            }
            case LINK -> throw closed(pattern, "the link", "such as 169.254.1.2:80");
        }
    }

    private static RuntimeException closed(HostPattern pattern, String what, String remedy) {
        return HostPattern.invalid(
                "domain pattern can never match: %s stands for %s, which a star does not open; name the exact host, %s"
                        .formatted(pattern.text(), what, remedy));
    }
}
