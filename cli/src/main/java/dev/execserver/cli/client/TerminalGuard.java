package dev.execserver.cli.client;

/** Restores the terminal at the end of the command, or when a signal ends the program. */
record TerminalGuard(LocalTerminal local, Thread hook) implements Guard {
    static TerminalGuard arm(LocalTerminal local) {
        Thread hook = Thread.ofPlatform().name("run-terminal").unstarted(local::restoreTerminal);
        Runtime.getRuntime().addShutdownHook(hook);
        return new TerminalGuard(local, hook);
    }

    @Override
    public void close() {
        local.restoreTerminal();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // Restoring it twice does no harm.
            return;
        }
    }
}
