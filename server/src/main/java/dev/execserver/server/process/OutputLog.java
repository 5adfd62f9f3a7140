package dev.execserver.server.process;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.AnswerMemory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Everything that one process said, numbered: the sequencer of its output, its exit and its close.
 *
 * <p>INVARIANT: nothing that was not delivered is ever dropped. Delivered means pushed completely to the attached
 * connection, or covered by a later {@code afterSeq} of its reader; see {@link DeliveryMark}. When a bound is reached the
 * pumps are held in {@link #awaitRoom}, so that the kernel's pipe fills and the program waits.
 *
 * <p>Threads: pumps append, the connection's writer takes events to push, request threads read and wait. {@code lock}
 * guards every field and is never held during I/O; moving bytes to and from the spill file happens between two short
 * critical sections in {@link Spill}.
 */
final class OutputLog {

    /** Bytes answered by one read: less than {@link DeliveryMark#IN_DOUBT_BYTES}, for it counts as delivered when queued. */
    static final long MAX_READ_BYTES = 8 * 1024 * 1024L;

    /** A pump held by a bound of the whole server looks again after this time: nobody signals across logs. */
    private static final long RECHECK_NANOS = 50_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition told = lock.newCondition();
    private final Retention retention;
    private final EntryRing entries;
    private final DeliveryMark delivery;
    private final Spill spill;
    private final LogBounds bounds;
    private long lastOutputSeq;
    private Optional<Exit> exit = Optional.empty();
    private long exitSeq;
    private boolean closed;
    private Optional<String> closeReason = Optional.empty();
    private boolean freed;
    private int waiters;
    private int pins;
    private int attachment;

    /** Of a process without a terminal. */
    OutputLog(Retention retention, boolean pushed, FileWorkers workers) {
        this(retention, pushed, false, workers);
    }

    OutputLog(Retention retention, boolean pushed, boolean terminal, FileWorkers workers) {
        this.retention = retention;
        this.entries = new EntryRing(retention.budget());
        this.delivery = new DeliveryMark(pushed, terminal);
        this.spill = new Spill(this, lock, retention, entries, workers);
        this.bounds = new LogBounds(retention, entries, delivery, spill);
    }

    /**
     * Waits until another chunk may be read from the process. Returns at once when the log was freed.
     *
     * @param last whether what the kernel holds of a process that has ended is read, at most what a pipe takes: it may pass
     *     the bounds of the process, since exit and close are told behind it, and nobody may come to read before
     */
    void awaitRoom(BooleanSupplier last) throws InterruptedException {
        lock.lock();
        try {
            while (!freed && (last.getAsBoolean() ? bounds.heldForServer() : bounds.held())) {
                spill.startIfNeeded();
                if (bounds.changeUnheard()) {
                    room.awaitNanos(RECHECK_NANOS);
                } else {
                    room.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds a chunk of output and returns its number; 0 when the log was freed and takes nothing more. */
    long append(EventKind kind, byte[] bytes) {
        lock.lock();
        try {
            if (freed) {
                return 0;
            }
            long seq = entries.add(kind, bytes);
            lastOutputSeq = seq;
            retention.budget().add(bytes.length, bytes.length);
            evict();
            spill.startIfNeeded();
            wakeReaders();
            return seq;
        } finally {
            lock.unlock();
        }
    }

    void exited(Exit how) {
        locked(() -> {
            exitSeq = entries.add(EventKind.EXITED, new byte[0]);
            exit = Optional.of(how);
            wakeReaders();
        });
    }

    void closed(Optional<String> reason) {
        locked(() -> {
            entries.add(EventKind.CLOSED, new byte[0]);
            closed = true;
            closeReason = reason;
            spill.ended();
            wakeReaders();
        });
    }

    /** Waits as {@code process/read} does: for output after {@code afterSeq}, for an exit not yet seen, or for the close. */
    void await(long afterSeq, long nanos, BooleanSupplier cancelled) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            delivery.acknowledge(Math.min(afterSeq, entries.nextSeq() - 1));
            freeDelivered();
            while (!ready(afterSeq) && left > 0 && !cancelled.getAsBoolean()) {
                waiters++;
                try {
                    left = changed.awaitNanos(left);
                } finally {
                    waiters--;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean ready(long afterSeq) {
        return lastOutputSeq > afterSeq || closed || freed || (exit.isPresent() && afterSeq < entries.nextSeq() - 1);
    }

    /**
     * Returns what was retained after {@code afterSeq}.
     *
     * <p>A reader without a wish of its own is shown the process as it was after the last event that it gets: one who is
     * told of an end whose output he does not have would think that the output is lost.
     *
     * @param maxBytes bytes to return at most, but at least one chunk; negative for no wish of the reader's own
     * @param memory where the bytes are taken from; when it is short the answer is
     */
    LogSlice read(long afterSeq, long maxBytes, AnswerMemory memory) {
        Selection chosen;
        LogSlice slice;
        lock.lock();
        try {
            delivery.acknowledge(Math.min(afterSeq, entries.nextSeq() - 1));
            freeDelivered();
            long limit = maxBytes < 0 ? MAX_READ_BYTES : Math.min(maxBytes, MAX_READ_BYTES);
            chosen = Selection.affordable(entries, afterSeq, limit, memory);
            boolean ownCursor =
                    (maxBytes >= 0 || chosen.cut()) && !chosen.numbers().isEmpty();
            long nextSeq = ownCursor ? chosen.numbers().getLast() + 1 : entries.nextSeq();
            boolean toldAll = maxBytes >= 0 || !chosen.cut();
            Optional<Exit> shownExit = toldAll || exitSeq < nextSeq ? exit : Optional.empty();
            slice = new LogSlice(List.of(), nextSeq, shownExit, closed && toldAll, entries.gapAfter(afterSeq));
            pins++;
        } finally {
            lock.unlock();
        }
        try {
            memory.takeAhead(chosen.memoryBytes());
            memory.reserve(chosen.loadedBytes());
            return new LogSlice(
                    spill.load(chosen.numbers()), slice.nextSeq(), slice.exit(), slice.closed(), slice.gap());
        } finally {
            unpin();
        }
    }

    /** The connection that started the process takes its events. Returns the number of this attachment. */
    int attach() {
        return locked(() -> {
            delivery.attach();
            room.signalAll();
            return ++attachment;
        });
    }

    /** Another connection has taken over; events are held for its first read. Returns as {@link #attach}. */
    int resume() {
        return locked(() -> {
            delivery.resume(entries);
            room.signalAll();
            changed.signalAll(); // reads of the connection that lost the session
            return ++attachment;
        });
    }

    /** A read was answered through this number. Returns true if events have waited for that since a resume. */
    boolean caughtUp(int byAttachment, long seq, boolean end) {
        return locked(() -> {
            boolean awaited = attachment == byAttachment && delivery.caughtUp(seq, end);
            told.signalAll();
            freeDelivered();
            return awaited;
        });
    }

    /** Changes how fast events are pushed, for an attachment that is still current. */
    void pace(int forAttachment, Consumer<DeliveryMark> change) {
        locked(forAttachment, () -> change.accept(delivery));
    }

    /** The connection is gone: what it may not have received counts as undelivered again, and long polls end. */
    void detach() {
        locked(() -> {
            attachment++;
            delivery.detach(entries);
            told.signalAll();
            room.signalAll();
            changed.signalAll();
        });
    }

    /** Whether there is something to push. */
    boolean hasEventToPush(int forAttachment) {
        return locked(() -> attachment == forAttachment && delivery.nextToPush(entries) > 0);
    }

    /** Returns true if something that is pushed was not yet written to a connection. */
    boolean pushesStill() {
        return locked(() -> !delivery.pushedAll(entries));
    }

    /** Returns true if no read was answered with the last output and the close since the last resume. */
    boolean unread() {
        return locked(() -> delivery.unread(lastOutputSeq));
    }

    /** Waits until the attached client was told everything; with {@code reads} what is not pushed must have been read. */
    void awaitTold(boolean reads, Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!freed && left > 0 && delivery.attached() && untold(reads)) {
                left = told.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever waited has nothing more to do
        } finally {
            lock.unlock();
        }
    }

    private boolean untold(boolean reads) {
        return !delivery.pushedAll(entries) || (reads && delivery.mustRead() && delivery.unread(lastOutputSeq));
    }

    /** Takes the next event to push, in the order of the numbers. One caller at a time. */
    Optional<OutputEvent> nextToPush(int forAttachment) {
        long seq;
        lock.lock();
        try {
            seq = attachment == forAttachment ? delivery.nextToPush(entries) : 0;
            if (seq <= 0) {
                return Optional.empty();
            }
            delivery.taken(seq, entries.lengthOf(seq));
            pins++;
        } finally {
            lock.unlock();
        }
        try {
            return Optional.of(spill.load(seq));
        } finally {
            unpin();
        }
    }

    /** The event with this number, and all before it, went out to the attached connection. */
    void pushed(int byAttachment, long seq) {
        locked(byAttachment, () -> {
            delivery.pushed(seq);
            told.signalAll();
            freeDelivered();
        });
    }

    Optional<Exit> exit() {
        return locked(() -> exit);
    }

    /** Why the streams were given up; empty when they ended by themselves. */
    Optional<String> closeReason() {
        return locked(() -> closeReason);
    }

    boolean isClosed() {
        return locked(() -> closed);
    }

    long nextSeq() {
        return locked(() -> entries.nextSeq());
    }

    /** Drops everything and wakes everybody: the process is forgotten. */
    void free() {
        locked(() -> {
            if (!freed) {
                freed = true;
                room.signalAll();
                told.signalAll();
                changed.signalAll();
                retention.budget().add(-spill.memoryBytes(), -entries.retainedBytes());
                entries.uncount();
                spill.close();
                freeDelivered();
            }
        });
    }

    /** Pumps that wait for room look again. */
    void lookForRoom() {
        locked(room::signalAll);
    }

    private void freeDelivered() {
        if (freed && pins == 0) {
            entries.clear(); // whoever still holds this log, a clock for instance, holds no output with it
        }
        evict();
        if (!bounds.held()) {
            room.signalAll();
        }
    }

    private void evict() {
        if (!freed && pins == 0) {
            bounds.evict();
        }
    }

    private void wakeReaders() {
        if (waiters > 0) {
            changed.signalAll();
        }
    }

    private void unpin() {
        locked(() -> {
            pins--;
            freeDelivered();
        });
    }

    /** No client is there to take what comes. The lock is held. */
    boolean unattended() {
        return !delivery.attached();
    }

    /** Called by the spill when bytes left memory or can never leave it. The lock is held. */
    void spillProgressed() {
        evict();
        room.signalAll();
    }

    /** Does the work unless another connection has taken over since. */
    private void locked(int byAttachment, Runnable work) {
        locked(() -> {
            if (attachment == byAttachment) {
                work.run();
            }
        });
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
