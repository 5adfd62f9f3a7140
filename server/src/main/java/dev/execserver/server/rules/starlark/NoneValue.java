package dev.execserver.server.rules.starlark;

/** The value {@code None}. */
public enum NoneValue {
    NONE
}
