package dev.execserver.client.process;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.process.ProcessEvent.Lost;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts the events of one process into order, each once, from pushed events and answers to reads. Pushed events may come
 * in any order, twice, or not at all.
 *
 * <p>Offering an event never waits. If there is no room for it, the event is not taken and the sequence is
 * <em>behind</em>: the feed then has to read the event. {@code lock} guards everything, the {@link Reorder} and the
 * {@link ReadyQueue} included.
 */
final class EventSequence {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Reorder reorder;
    private final ReadyQueue ready;
    private final ServerTraits traits;
    private final int bufferBytes;
    private final CompletableFuture<Outcome> exit = new CompletableFuture<>();
    private final AtomicBoolean told = new AtomicBoolean();
    private boolean behind;
    private Optional<String> lost = Optional.empty();

    /**
     * @param afterSeq events up to this number are skipped
     * @param bufferBytes limit of output that waits for the consumer
     */
    EventSequence(long afterSeq, ServerTraits traits, int bufferBytes) {
        this.traits = traits;
        this.bufferBytes = bufferBytes;
        this.ready = new ReadyQueue(bufferBytes);
        this.reorder = new Reorder(afterSeq, traits, ready);
        this.behind = traits.polled();
    }

    /** Returns the limit of output that waits for the consumer. */
    int bufferBytes() {
        return bufferBytes;
    }

    /** Offers pushed output. */
    void offer(OutputChunk chunk) {
        change(() -> {
            if (!traits.polled() && !reorder.offer(chunk)) {
                behind = true;
            }
        });
    }

    /** Offers the pushed exit. */
    void offer(ExitedNotification exited) {
        change(() -> {
            reorder.exited(exited);
            // Servers of the second era do not report if the sandbox was the cause, so a read has to ask.
            behind |= exited.sandboxDenied().isEmpty();
        });
    }

    /** Offers the pushed close. If it has no number, a read has to find out if an event is missing. */
    void offer(ClosedNotification closed) {
        change(() -> {
            reorder.closed(closed);
            behind |= !reorder.finished() && closed.seq().isEmpty();
        });
    }

    /** Takes the answer to a read from {@link #cursor()}. */
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
     * Handles a refused read. If the read only asked for details of an exit, the pushed events may suffice; otherwise
     * the process is lost.
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

    /** Notes that pushed events may have been missed. */
    void missed() {
        change(() -> behind = true);
    }

    /** Ends the sequence. Events that are in order are still delivered. */
    void lose(String reason) {
        change(() -> loseLocked(reason, false));
    }

    /** Does the same. If the server does not know the session any more, the process has ended with it. */
    void lose(ConnectionLostException why) {
        boolean ended = why instanceof SessionLostException lost && lost.ended();
        change(() -> loseLocked(why.getMessage(), ended));
    }

    /** Discards all output from now on. */
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

    /** Returns the number after which the next read starts. */
    long cursor() {
        lock.lock();
        try {
            return reorder.cursor();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a read is needed and there is room for its result.
     *
     * @param holeNanos time for a missing number to come by itself
     * @return false if nothing is left to read
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

    /** Returns true if {@link #awaitReading} would return at once. */
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

    /** Waits for the next event; empty after the last one. */
    Optional<ProcessEvent> take() throws InterruptedException {
        return take(Long.MAX_VALUE);
    }

    /** Does the same as {@link #take()}; also empty when the time has passed. */
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

    /** Returns the next event, if it has already come. */
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

    /** Waits until the outcome is known; empty when the time has passed. */
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

    /** Returns a future of the outcome, which is completed on a virtual thread. */
    CompletableFuture<Outcome> onOutcome() {
        return exit.copy();
    }

    /** Returns the outcome, if it is already known. */
    Optional<Outcome> outcomeNow() {
        lock.lock();
        try {
            return outcome();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the last event that the consumer has taken, or that waits for it. */
    long lastDelivered() {
        lock.lock();
        try {
            return reorder.last();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the last event is known; it may not have been taken yet. */
    boolean finished() {
        lock.lock();
        try {
            return ready.finished();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the last event was taken. */
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
        Optional<Outcome> known;
        lock.lock();
        try {
            if (!ready.finished()) {
                work.run();
                changed.signalAll();
            }
            known = outcome();
        } finally {
            lock.unlock();
        }
        if (known.isPresent() && told.compareAndSet(false, true)) {
            ClientThreads.virtual("exec-client-exit", () -> exit.complete(known.get()));
        }
    }
}
