package dev.execserver.client.testing;

/** The servers that a client meets: the dialects of the protocol, and ours. */
public enum Era {
    /** First product documents: no sessions, native paths. */
    A,
    /** Sessions and pushed events; an exit does not say whether the sandbox was to blame. */
    B,
    /** Release 0.169.0. */
    C,
    /** C with additions. */
    OURS
}
