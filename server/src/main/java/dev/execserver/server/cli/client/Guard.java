package dev.execserver.server.cli.client;

/** A shutdown hook for the time of a command; closing it takes the hook away. */
sealed interface Guard extends AutoCloseable permits TerminalGuard, SignalRelay {
    @Override
    void close();
}
