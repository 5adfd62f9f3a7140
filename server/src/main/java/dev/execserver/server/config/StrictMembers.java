package dev.execserver.server.config;

/** Treatments of members of params that no version of the protocol knows. */
public enum StrictMembers {
    /** Ignores them, as the protocol says. */
    OFF,
    /** Ignores them too, and names them in the answer. */
    WARN,
    /** Refuses the request. */
    REFUSE
}
