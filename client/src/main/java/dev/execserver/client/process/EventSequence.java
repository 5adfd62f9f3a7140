package dev.execserver.client.process;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.process.ProcessEvent.Lost;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts the events of one process into their order, each once, from what is pushed and what is read. Pushed events may
 * come in any order, twice, or not at all.
 *
 * <p>Offering never waits: what does not fit is not taken and the sequence is <em>behind</em>, which is for the feed to
 * make good by reading. {@code lock} guards everything, the {@link Reorder} and the {@link ReadyQueue} included.
 */
final class EventSequence {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Reorder reorder;
    private final ReadyQueue ready;
    private final ServerTraits traits;
    private final int bufferBytes;
    private boolean behind;
    private Optional<String> lost = Optional.empty();

    /**
     * @param afterSeq events up to this number are not wanted
     * @param bufferBytes output that may wait for the consumer
     */
    EventSequence(long afterSeq, ServerTraits traits, int bufferBytes) {
        this.traits = traits;
        this.bufferBytes = bufferBytes;
        this.ready = new ReadyQueue(bufferBytes);
        this.reorder = new Reorder(afterSeq, traits, ready);
        this.behind = traits.polled();
    }

    /** Output that may wait for the consumer. */
    int bufferBytes() {
        return bufferBytes;
    }

    /** Output that was pushed. */
    void offer(OutputChunk chunk) {
        change(() -> {
            if (!traits.polled() && !reorder.offer(chunk)) {
                behind = true;
            }
        });
    }

    /** The exit as it was pushed. */
    void offer(ExitedNotification exited) {
        change(() -> {
            reorder.exited(exited);
            // Servers of the second era do not say whether the sandbox was to blame: it has to be asked for.
            behind |= exited.sandboxDenied().isEmpty();
        });
    }

    /** The end as it was pushed; without a number it has to be found out whether anything is missing. */
    void offer(ClosedNotification closed) {
        change(() -> {
            reorder.closed(closed);
            behind |= !reorder.finished() && closed.seq().isEmpty();
        });
    }

    /** The answer to a read from {@link #cursor()}. */
    void merge(ReadResult result) {
        change(() -> {
            reorder.merge(result);
            if (result.failure().isPresent()) {
                loseLocked("the server reports: " + result.failure().get(), false);
            }
            behind |= !result.chunks().isEmpty();
        });
    }

    /**
     * The server refuses to be read from. When that was only to learn more about an exit, what is pushed may be enough;
     * else the process is lost.
     */
    void refused(String reason) {
        change(() -> {
            boolean exitIncomplete = reorder.exitIncomplete();
            reorder.settle(false);
            if (!ready.finished() && (traits.polled() || !exitIncomplete || reorder.hasHole())) {
                loseLocked(reason, false);
            }
        });
    }

    /** Pushed events may have been missed. */
    void missed() {
        change(() -> behind = true);
    }

    /** Nothing more will be heard; what is in order is still delivered. */
    void lose(String reason) {
        change(() -> loseLocked(reason, false));
    }

    /** As above; the loss of a session that the server does not know any more is the end of the process, too. */
    void lose(ConnectionLostException why) {
        boolean ended = why instanceof SessionLostException lost && lost.ended();
        change(() -> loseLocked(why.getMessage(), ended));
    }

    /** Output is of no interest from now on. */
    void discardOutput() {
        lock.lock();
        try {
            ready.discardOutput();
            reorder.drain();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Number behind which the next read starts. */
    long cursor() {
        lock.lock();
        try {
            return reorder.cursor();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something has to be read and there is room for it.
     *
     * @param holeNanos how long a missing number may take to come by itself
     * @return false when there is nothing left to read
     */
    boolean awaitReading(long holeNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!ready.finished() && !readingDueLocked()) {
                if (behind || !reorder.hasHole()) {
                    changed.await();
                } else if (!changed.await(holeNanos, TimeUnit.NANOSECONDS) && reorder.hasHole()) {
                    behind = true;
                }
            }
            behind = traits.polled();
            return !ready.finished();
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #awaitReading} would return at once. */
    boolean readingDue() {
        lock.lock();
        try {
            return ready.finished() || readingDueLocked();
        } finally {
            lock.unlock();
        }
    }

    private boolean readingDueLocked() {
        return behind && ready.halfEmpty();
    }

    /** The next event, waited for; empty behind the last one. */
    Optional<ProcessEvent> take() throws InterruptedException {
        return take(Long.MAX_VALUE);
    }

    /** As {@link #take()}; also empty when the time passes. */
    Optional<ProcessEvent> take(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (ready.isEmpty() && !ready.finished() && left > 0) {
                left = changed.awaitNanos(left);
            }
            Optional<ProcessEvent> event = ready.poll();
            reorder.drain();
            changed.signalAll();
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** The next event, if there is one already. */
    Optional<ProcessEvent> poll() {
        lock.lock();
        try {
            Optional<ProcessEvent> event = ready.poll();
            reorder.drain();
            changed.signalAll();
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is known how the process ended; empty when the time passes. */
    Optional<Outcome> awaitOutcome(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (outcome().isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return outcome();
        } finally {
            lock.unlock();
        }
    }

    /** How the process ended, as far as that is known. */
    Optional<Outcome> outcomeNow() {
        lock.lock();
        try {
            return outcome();
        } finally {
            lock.unlock();
        }
    }

    /** Number of the last event that the consumer has taken, or that waits for it. */
    long lastDelivered() {
        lock.lock();
        try {
            return reorder.last();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the last event is known; it may not have been taken yet. */
    boolean finished() {
        lock.lock();
        try {
            return ready.finished();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the last event was taken. */
    boolean exhausted() {
        lock.lock();
        try {
            return ready.finished() && ready.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Outcome> outcome() {
        return reorder.exit().map(EventSequence::outcomeOf).or(() -> lost.map(Outcome.Lost::new));
    }

    private static Outcome outcomeOf(Reorder.Exit exit) {
        return exit.sandboxDenied().orElse(false)
                ? new Outcome.SandboxDenied(exit.code(), exit.details())
                : new Outcome.Exited(exit.code(), exit.reason(), exit.details());
    }

    private void loseLocked(String reason, boolean ended) {
        ready.takeAll();
        reorder.settle(false);
        if (!ready.finished()) {
            lost = Optional.of(reason);
            ready.add(new Lost(reason, ended));
        }
    }

    private void change(Runnable work) {
        lock.lock();
        try {
            if (!ready.finished()) {
                work.run();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
