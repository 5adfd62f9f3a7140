package dev.execserver.server.cli;

import java.time.Duration;

/** What the command line needs of a server that listens. Closing it twice is harmless. */
public interface RunningServer extends AutoCloseable {
    /** Where it can be reached, with the real port. */
    String url();

    /** Waits until the server has ended, for whatever reason. */
    void awaitStop();

    /** How long {@link #close} may take before the program ends all the same. */
    default Duration closeLimit() {
        return Duration.ofSeconds(20);
    }

    @Override
    void close();
}
