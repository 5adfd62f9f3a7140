package dev.execserver.server.cli;

import java.time.Duration;

/** Running server as the command line needs it. Closing it twice is harmless. */
public interface RunningServer extends AutoCloseable {
    /** Returns the URL for clients, with the real port. */
    String url();

    /** Waits until the server has ended, for any reason. */
    void awaitStop();

    /** Reads again what may change while the server runs. */
    default void reload() {}

    /**
     * Returns the time that {@link #close} may take. The program ends after that time even if the close has not
     * finished.
     */
    default Duration closeLimit() {
        return Duration.ofSeconds(20);
    }

    @Override
    void close();
}
