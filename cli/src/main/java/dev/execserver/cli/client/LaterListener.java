package dev.execserver.cli.client;

import dev.execserver.client.ConnectionListener;

/** Listener of a connection that is made before it is known who listens to its losses. Any thread. */
final class LaterListener implements ConnectionListener {
    private final ServerWarnings warnings;
    private volatile ConnectionListener listener = NONE;

    LaterListener(ServerWarnings warnings) {
        this.warnings = warnings;
    }

    void set(ConnectionListener known) {
        listener = known;
    }

    @Override
    public void interrupted() {
        listener.interrupted();
    }

    @Override
    public void resumed() {
        listener.resumed();
    }

    @Override
    public void warned(String method, String warning) {
        warnings.warned(method, warning);
    }

    @Override
    public void ended(String reason) {
        warnings.ended(reason);
        listener.ended(reason);
    }
}
