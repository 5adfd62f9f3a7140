package dev.execserver.server.admin;

import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.session.SessionView;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a server come to its end: no new sessions, and the stop as soon as no process runs, or when the time is over. Any
 * thread begins it, the clock goes on.
 */
public final class Drain {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final SessionRegistry sessions;
    private final Timers timers;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile long deadlineNanos;
    private volatile Runnable stop = () -> {};

    public Drain(SessionRegistry sessions, Timers timers) {
        this.sessions = sessions;
        this.timers = timers;
    }

    /** Sets what stops the server. */
    public void whenOver(Runnable work) {
        stop = work;
    }

    /** Begins. A second call sets another limit. */
    void begin(Duration limit) {
        deadlineNanos = System.nanoTime() + limit.toNanos();
        sessions.drain();
        if (begun.compareAndSet(false, true)) {
            LOG.info("draining for at most {} s", limit.toSeconds());
            planNext();
        }
    }

    private void planNext() {
        var _ = timers.after(LOOK, "drain", () -> {
            if (idle() || System.nanoTime() - deadlineNanos >= 0) {
                stop.run();
            } else {
                planNext();
            }
        });
    }

    private boolean idle() {
        return sessions.views().stream().mapToLong(SessionView::running).sum() == 0;
    }
}
