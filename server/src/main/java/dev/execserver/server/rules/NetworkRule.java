package dev.execserver.server.rules;

import java.util.Optional;

/**
 * Rule about connections of a command; it feeds the lists of the managed proxy.
 *
 * @param host name or address, in lower case, without port
 * @param program path of the only program that it is about; empty if it is about all
 */
public record NetworkRule(
        String host,
        Protocol protocol,
        RuleDecision decision,
        Optional<String> justification,
        Optional<String> program) {
    /** Kind of connection, as rules files name it. */
    public enum Protocol {
        HTTP,
        HTTPS,
        SOCKS5_TCP,
        SOCKS5_UDP;

        static Optional<Protocol> of(String word) {
            return Optional.ofNullable(
                    switch (word) {
                        case "http" -> HTTP;
                        case "https", "https_connect", "http-connect" -> HTTPS;
                        case "socks5_tcp" -> SOCKS5_TCP;
                        case "socks5_udp" -> SOCKS5_UDP;
                        default -> null;
                    });
        }
    }
}
