package dev.execserver.sandbox.spawn;

/** The descriptor, poller or spawner was closed by this server, before the call or while it waited. */
public final class ClosedException extends RuntimeException {
    public ClosedException(String what) {
        super(what + " is closed");
    }
}
