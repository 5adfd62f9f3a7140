package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells the remote program when the window changes its size. Asks the terminal a few times a second, on a daemon thread:
 * Java has no supported way to receive SIGWINCH.
 */
final class WindowWatch {
    private static final Duration INTERVAL = Duration.ofMillis(150);

    private WindowWatch() {}

    /** @param told the size that the program knows already */
    static void start(LocalEnd local, RemoteTask task, Optional<WindowSize> told) {
        Threads.daemon("run-window", () -> watch(local, task, told));
    }

    private static void watch(LocalEnd local, RemoteTask task, Optional<WindowSize> told) {
        Optional<WindowSize> known = told;
        try {
            while (true) {
                Optional<WindowSize> now = local.windowSize();
                if (now.isPresent() && !now.equals(known)) {
                    task.resize(now.get());
                    known = now;
                }
                Thread.sleep(INTERVAL);
            }
        } catch (ExecServerException e) {
            // The server cannot do it, or the program has ended.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
