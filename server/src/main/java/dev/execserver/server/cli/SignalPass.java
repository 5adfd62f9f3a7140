package dev.execserver.server.cli;

import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.server.sandbox.LocalSandbox;

/**
 * What becomes of the signals that this program gets while a command runs in a sandbox. The launcher script blocks them in
 * every thread of the JVM, so that they can be read and passed on as they are. A JVM that was started in another way answers
 * them by its shutdown hooks.
 */
interface SignalPass extends LocalSandbox.Watcher, AutoCloseable {

    static SignalPass arm() {
        boolean blocked = ProcFiles.signals(ProcessCalls.ownPid())
                .filter(signals -> LocalSandbox.PASSED_SIGNALS.stream()
                        .allMatch(signal -> signals.blocks(signal) || signals.ignores(signal)))
                .isPresent();
        return blocked ? ReadSignals.arm() : HookSignals.arm();
    }

    /** Everything is tidied up. */
    void finished(int code);

    @Override
    void close();
}
