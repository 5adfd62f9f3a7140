package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;

/**
 * Host and port of an HTTP proxy of the operator.
 *
 * @param host a name or an address, IPv6 without brackets
 */
public record UpstreamAddress(String host, int port) {
    private static final int MAX_PORT = 65535;

    /** @throws ConfigException with the text of the reference server */
    static UpstreamAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (text.contains("/")) {
            throw invalid(text, "not HOST:PORT");
        }
        if (colon < 0 || text.endsWith("]")) {
            throw invalid(text, "missing port");
        }
        String digits = text.substring(colon + 1);
        String host = text.substring(0, colon);
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        if (bare.isEmpty() || (bare.equals(host) && host.indexOf(':') >= 0)) {
            throw invalid(text, "invalid host");
        }
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > MAX_PORT) {
            throw invalid(text, "invalid port");
        }
        return new UpstreamAddress(bare, Integer.parseInt(digits));
    }

    private static ConfigException invalid(String text, String why) {
        return ConfigException.usage("invalid value '%s' for '--%s <HOST:PORT>': %s"
                .formatted(text, Options.TCP_UPSTREAM_PROXY.name(), why));
    }
}
