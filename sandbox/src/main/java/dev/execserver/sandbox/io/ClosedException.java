package dev.execserver.sandbox.io;

/** The server has closed the descriptor, poller or spawner, before or during the call. */
public final class ClosedException extends RuntimeException {
    public ClosedException(String what) {
        super(what + " is closed");
    }
}
