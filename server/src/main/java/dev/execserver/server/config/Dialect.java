package dev.execserver.server.config;

/** Placeholder until the one of the protocol module is merged. */
public enum Dialect {
    OPEN,
    STRICT
}
