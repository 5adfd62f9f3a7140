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

    /** Tells the size once, in case that the server could not take it at the start, and then every change. */
    static void start(LocalEnd local, RemoteTask task) {
        Threads.daemon("run-window", () -> watch(local, task));
    }

    private static void watch(LocalEnd local, RemoteTask task) {
        Optional<WindowSize> known = Optional.empty();
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
