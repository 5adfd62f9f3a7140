package dev.execserver.cli.client;

/** Shutdown hook during a command; closing it removes the hook. */
sealed interface Guard extends AutoCloseable permits TerminalGuard, SignalRelay {
    @Override
    void close();
}
