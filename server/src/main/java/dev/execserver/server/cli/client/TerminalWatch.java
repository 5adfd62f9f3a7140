package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells the remote program when the window changes its size, and keeps the terminal raw, also after this job was stopped and
 * continued or came from the background. Asks the terminal a few times a second, on a daemon thread:
 * Java has no supported way to receive SIGWINCH.
 */
final class TerminalWatch {
    private static final Duration INTERVAL = Duration.ofMillis(150);

    private TerminalWatch() {}

    /** Tells the size once, in case that the server could not take it at the start, and then every change. */
    static void start(LocalEnd local, RemoteTask task) {
        Threads.daemon("run-window", () -> watch(local, task));
    }

    private static void watch(LocalEnd local, RemoteTask task) {
        Optional<WindowSize> known = Optional.empty();
        try {
            while (true) {
                local.keepRawMode();
                Optional<WindowSize> now = local.windowSize();
                if (now.isPresent() && !now.equals(known)) {
                    known = now;
                    resize(task, now.get());
                }
                Thread.sleep(INTERVAL);
            }
        } catch (LinuxException gone) {
            // The terminal was closed.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void resize(RemoteTask task, WindowSize size) throws InterruptedException {
        try {
            task.resize(size);
        } catch (ExecServerException e) {
            // The server cannot do it, or the program has ended; its events say so.
            return;
        }
    }
}
