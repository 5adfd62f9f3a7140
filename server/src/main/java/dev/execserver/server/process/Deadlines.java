package dev.execserver.server.process;

import dev.execserver.protocol.process.StartOptions;
import dev.execserver.server.concurrent.Threads;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Time limits of a process: its total time, its idle time, and the grace between its exit and its close. The first two stand still
 * while its client is asked about one of its programs.
 *
 * <p>Each wait is a virtual thread that exists only for processes that have the limit. Stateless.
 */
final class Deadlines {

    static final String TIMEOUT = "timeout";
    static final String IDLE = "idle";
    static final String CLOSE_GRACE = "closeGrace";

    /** Time between two looks at a clock that stands still. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

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
        long start = process.clock().nanos();
        await(process, nanos(ms), () -> process.clock().nanos() - start, TIMEOUT);
    }

    private static void afterSilence(ManagedProcess process, long ms) {
        await(
                process,
                nanos(ms),
                () -> process.clock().nanos() - process.lifecycle().lastOutputNanos(),
                IDLE);
    }

    /** Ends the process when the used time, by its clock, reaches the limit. Returns then or after its exit. */
    private static void await(ManagedProcess process, long limit, LongSupplier used, String reason) {
        while (true) {
            long left = limit - used.getAsLong();
            if (left <= 0) {
                process.end().because(reason);
                return;
            }
            // The clock may stand still; it says not when it goes on.
            long wait = process.clock().stopped() ? Math.max(left, LOOK_NANOS) : left;
            if (process.lifecycle().awaitExited(wait)) {
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
