package dev.execserver.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.time.Duration;
import java.util.Optional;

/**
 * Reports changes of the window size to the remote program. It also keeps the terminal raw, even if this job was
 * stopped and continued or came from the background. It asks the terminal a few times a second on a daemon thread,
 * because Java has no supported way to receive SIGWINCH.
 */
final class TerminalWatch {
    private static final Duration INTERVAL = Duration.ofMillis(150);

    private TerminalWatch() {}

    /**
     * Reports the size once, because the server may not have been able to take it at the start, and then every change.
     */
    static void start(LocalTerminal local, RemoteTask task) {
        CliThreads.daemon("run-window", () -> watch(local, task));
    }

    private static void watch(LocalTerminal local, RemoteTask task) {
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
            // The server does not support it, or the program has ended, which its events report.
            return;
        }
    }
}
