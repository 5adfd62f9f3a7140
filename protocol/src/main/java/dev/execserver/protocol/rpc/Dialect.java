package dev.execserver.protocol.rpc;

/**
 * How much more than the reference (release 0.169.0) is understood.
 *
 * <p>{@code STRICT} behaves as the reference does. {@code OPEN} also takes what older releases sent (native absolute
 * paths, a write without {@code writeId}) and the additive members of this server; what a {@code STRICT} client sends
 * means the same in both.
 */
public enum Dialect {
    OPEN,
    STRICT;

    public boolean open() {
        return this == OPEN;
    }
}
