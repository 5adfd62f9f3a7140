package dev.execserver.server.process;

import dev.execserver.protocol.process.StartOptions;
import dev.execserver.server.concurrent.Threads;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What happens to a process because time has passed: its own limits, the grace after its exit.
 *
 * <p>Each wait is a virtual thread that exists only for processes that asked for it. Stateless.
 */
final class Deadlines {

    static final String TIMEOUT = "timeout";
    static final String IDLE = "idle";
    static final String CLOSE_GRACE = "closeGrace";

    private Deadlines() {}

    /** Starts what {@code timeoutMs} and {@code idleTimeoutMs} ask for; 0 asks for nothing. */
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

    /** Lets go of streams that a descendant holds open, when the client has set a limit for that. */
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
