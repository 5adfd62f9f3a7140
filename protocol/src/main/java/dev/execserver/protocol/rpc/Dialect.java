package dev.execserver.protocol.rpc;

/**
 * Accepted extensions beyond the reference server (release 0.169.0).
 *
 * <p>{@code STRICT} behaves like the reference server. {@code OPEN} also accepts messages of older releases (native
 * absolute paths, a write without {@code writeId}) and the additions of this server. Messages of a {@code STRICT}
 * client have the same meaning in both.
 */
public enum Dialect {
    OPEN,
    STRICT;

    public boolean open() {
        return this == OPEN;
    }
}
