package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import dev.execserver.protocol.rpc.Dialect;

/**
 * Settings of the protocol.
 *
 * @param dialect strictness towards the newest dialect of the protocol
 * @param members treatment of unknown members of params
 */
public record Protocol(Dialect dialect, StrictMembers members) {
    public static final Dialect DEFAULT_DIALECT = Dialect.OPEN;
    public static final StrictMembers DEFAULT_MEMBERS = StrictMembers.OFF;

    public static final Protocol DEFAULTS = new Protocol(DEFAULT_DIALECT, DEFAULT_MEMBERS);

    public Protocol {
        requireNonNull(dialect, "dialect");
        requireNonNull(members, "members");
    }
}
