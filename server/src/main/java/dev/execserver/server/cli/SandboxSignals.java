package dev.execserver.server.cli;

import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.server.sandbox.LocalSandbox;

/**
 * Handles the signals that this program gets while a command runs in a sandbox. The launcher script blocks them in
 * every thread of the JVM, so that they can be read and passed on unchanged. A JVM that was started in another way
 * handles them in its shutdown hooks.
 */
interface SandboxSignals extends LocalSandbox.Watcher, AutoCloseable {

    static SandboxSignals arm() {
        boolean blocked = ProcFiles.signals(ProcessCalls.ownPid())
                .filter(signals -> LocalSandbox.PASSED_SIGNALS.stream()
                        .allMatch(signal -> signals.blocks(signal) || signals.ignores(signal)))
                .isPresent();
        return blocked ? ForwardedSignals.arm() : ShutdownHookSignals.arm();
    }

    /** Stores the exit status. Called when everything is cleaned up. */
    void finished(int code);

    @Override
    void close();
}
