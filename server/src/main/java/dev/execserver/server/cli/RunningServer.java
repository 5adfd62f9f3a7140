package dev.execserver.server.cli;

/** What the command line needs of a server that listens. Closing it twice is harmless. */
public interface RunningServer extends AutoCloseable {
    /** Where it can be reached, with the real port. */
    String url();

    /** Waits until the server has ended, for whatever reason. */
    void awaitStop();

    @Override
    void close();
}
