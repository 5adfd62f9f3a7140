package dev.execserver.server.process;

import dev.execserver.protocol.process.StartOptions;
import dev.execserver.server.concurrent.Threads;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Time limits of a process: its total time, its idle time, and the grace between its exit and its close.
 *
 * <p>Each wait is a virtual thread that exists only for processes that have the limit. Stateless.
 */
final class Deadlines {

    static final String TIMEOUT = "timeout";
    static final String IDLE = "idle";
    static final String CLOSE_GRACE = "closeGrace";

    private Deadlines() {}

    /** Starts the limits {@code timeoutMs} and {@code idleTimeoutMs}; 0 means none. */
    static void watch(ManagedProcess process) {
        StartOptions options = process.params().options();
        long total = options.timeoutMs().orElse(0);
        if (total > 0) {
            Threads.virtual("timeout", () -> afterTotal(process, total));
        }
        long silence = options.idleTimeoutMs().orElse(0);
        if (silence > 0) {
            Threads.virtual("idle-timeout", () -> afterSilence(process, silence));
        }
    }

    private static void afterTotal(ManagedProcess process, long ms) {
        if (!process.lifecycle().awaitExited(nanos(ms))) {
            process.end(TIMEOUT);
        }
    }

    private static void afterSilence(ManagedProcess process, long ms) {
        long limit = nanos(ms);
        while (true) {
            long silent = System.nanoTime() - process.lifecycle().lastOutputNanos();
            if (silent >= limit) {
                process.end(IDLE);
                return;
            }
            if (process.lifecycle().awaitExited(limit - silent)) {
                return;
            }
        }
    }

    /** Gives up streams that a descendant holds open, after the grace that the client has set, if any. */
    static void closeAfterGrace(ManagedProcess process) {
        process.params()
                .options()
                .closeGraceMs()
                .ifPresent(ms -> Threads.virtual("close-grace", () -> {
                    if (!process.lifecycle().awaitClosed(nanos(ms))) {
                        process.lifecycle().letGoOfStreams(Optional.of(CLOSE_GRACE));
                    }
                }));
    }

    private static long nanos(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
