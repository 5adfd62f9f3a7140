package dev.execserver.server.proxy.rules;

import java.util.Optional;

/**
 * A pattern that has decided about a connection.
 *
 * @param program path of the only program that it is about; empty if it is about all
 */
record HostRule(HostPattern pattern, Optional<String> program) {

    static HostRule of(HostPattern pattern) {
        return new HostRule(pattern, Optional.empty());
    }

    static HostRule of(HostPattern pattern, String program) {
        return new HostRule(pattern, Optional.of(program));
    }

    /** Returns the rule for logs and people. */
    String text() {
        return pattern.text() + program.map(path -> " for " + path).orElse("");
    }
}
