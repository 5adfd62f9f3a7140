package dev.execserver.client.testing;

/** Eras of servers that a client meets: the dialects of the protocol, and our server. */
public enum Era {
    /** First product documents: no sessions, native paths. */
    A,
    /** Sessions and pushed events; an exit does not tell if the sandbox was the cause. */
    B,
    /** Release 0.169.0. */
    C,
    /** C with additions. */
    OURS
}
