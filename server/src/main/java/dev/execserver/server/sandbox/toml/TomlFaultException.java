package dev.execserver.server.sandbox.toml;

import org.tomlj.TomlPosition;

/** Thrown for a file that is no TOML or has no usable profiles. The message begins with the line and the column. */
public final class TomlFaultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TomlFaultException(TomlPosition place, String message) {
        super("line " + place.line() + ", column " + place.column() + ": " + message, null, false, false);
    }
}
