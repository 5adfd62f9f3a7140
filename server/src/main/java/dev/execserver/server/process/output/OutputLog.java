package dev.execserver.server.process.output;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.AnswerMemory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The ordered event log of one process: output chunks, exit and close, each with its sequence number.
 *
 * <p>INVARIANT: no undelivered event is ever dropped. Delivered means pushed completely to the attached connection, or
 * covered by a later {@code afterSeq} of its reader; see {@link DeliveryMark}. When a limit is reached, the pumps wait
 * in {@link #awaitRoom}, so that the kernel's pipe fills and the program waits.
 *
 * <p>Threads: pumps append, the thread that writes to the connection takes events, request threads read and wait. {@code lock}
 * guards every field and is not held during I/O; {@link Spill} uses its file between two critical sections.
 */
public final class OutputLog {

    /** Bytes of the largest answer to a read. Below {@link DeliveryMark#IN_DOUBT_BYTES}: once queued it is delivered. */
    static final long MAX_READ_BYTES = 8 * 1024 * 1024L;

    /** Interval at which a pump held by a server-wide limit checks again, because other logs do not signal it. */
    private static final long RECHECK_NANOS = 50_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition told = lock.newCondition();
    private final OutputBounds retention;
    private final EntryRing entries;
    private final DeliveryMark delivery;
    private final Spill spill;
    private final LogBounds bounds;
    private final LogView view;
    private long lastOutputSeq;
    private Optional<Exit> exit = Optional.empty();
    private long exitSeq;
    private boolean closed;
    private Optional<String> closeReason = Optional.empty();
    private boolean freed;
    private int waiters;
    private int pins;
    private int attachment;

    OutputLog(OutputBounds retention, boolean pushed, FileWorkers workers) {
        this(retention, pushed, false, workers);
    }

    public OutputLog(OutputBounds retention, boolean pushed, boolean terminal, FileWorkers workers) {
        this.retention = retention;
        this.entries = new EntryRing(retention.budget());
        this.delivery = new DeliveryMark(pushed, terminal);
        this.spill = new Spill(this, lock, retention, entries, workers);
        this.bounds = new LogBounds(retention, entries, delivery, spill);
        this.view = new LogView(this, lock, retention.budget(), entries, spill);
    }

    /**
     * Waits until another chunk may be read from the process. Returns at once if the log was freed.
     *
     * @param last returns true while the pump reads the last pipe content of an ended process. It may exceed the limits
     * of the process: exit and close are reported after it, and perhaps no client reads before.
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

    /** Adds a chunk of output and returns its number; 0 if the log was freed. */
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

    public void exited(Exit how) {
        locked(() -> {
            exitSeq = entries.add(EventKind.EXITED, new byte[0]);
            exit = Optional.of(how);
            wakeReaders();
        });
    }

    public void closed(Optional<String> reason) {
        locked(() -> {
            entries.add(EventKind.CLOSED, new byte[0]);
            closed = true;
            closeReason = reason;
            spill.ended();
            wakeReaders();
        });
    }

    /** Waits as {@code process/read} does: for output after {@code afterSeq}, for an exit not seen yet, or for the close. */
    public void await(long afterSeq, long nanos, BooleanSupplier cancelled) throws InterruptedException {
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
     * Returns the events that were kept after {@code afterSeq}. A reader without its own limit gets the state of the
     * process as of the last of them: an exit that is shown before the last output would look like a loss.
     *
     * @param maxBytes most bytes to return, but at least one chunk; negative for no limit of the reader
     * @param memory memory for the bytes; if it is short, the answer is shorter
     */
    public LogSlice read(long afterSeq, long maxBytes, AnswerMemory memory) {
        Selection chosen;
        LogSlice slice;
        lock.lock();
        try {
            delivery.acknowledge(Math.min(afterSeq, entries.nextSeq() - 1));
            freeDelivered();
            chosen = Selection.affordable(entries, afterSeq, maxBytes, memory);
            slice = LogSlice.begin(entries, chosen, afterSeq, maxBytes >= 0, exit, exitSeq, closed);
            pins++;
        } finally {
            lock.unlock();
        }
        try {
            memory.takeAhead(chosen.memoryBytes());
            memory.reserve(chosen.loadedBytes());
            return slice.with(spill.load(chosen.numbers()));
        } finally {
            unpin();
        }
    }

    /** The log as observers see it. */
    public LogView view() {
        return view;
    }

    /** Attaches the connection that started the process. Returns the number of the attachment. */
    public int attach() {
        return locked(() -> {
            delivery.attach();
            room.signalAll();
            return ++attachment;
        });
    }

    /** Attaches the connection that has taken over. Holds events until its first read. Returns the attachment's number. */
    int resume() {
        return locked(() -> {
            delivery.resume(entries);
            room.signalAll();
            changed.signalAll(); // for waiting reads of the connection that lost the session
            return ++attachment;
        });
    }

    /** Reports a read that was answered up to this number. Returns true if it was the first one after a resume. */
    boolean caughtUp(int byAttachment, long seq, boolean end) {
        return locked(() -> {
            boolean awaited = attachment == byAttachment && delivery.caughtUp(seq, end);
            told.signalAll();
            freeDelivered();
            return awaited;
        });
    }

    /** Changes the pace of pushing if the attachment is still current. */
    void pace(int forAttachment, Consumer<DeliveryMark> change) {
        locked(() -> {
            if (attachment == forAttachment) {
                change.accept(delivery);
            }
        });
    }

    /** Called when the connection is gone: events in doubt count as undelivered again, and long polls end. */
    void detach() {
        locked(() -> {
            attachment++;
            delivery.detach(entries);
            told.signalAll();
            room.signalAll();
            changed.signalAll();
        });
    }

    /** Returns true if an event can be pushed now. */
    boolean hasEventToPush(int forAttachment) {
        return locked(() -> attachment == forAttachment && delivery.nextToPush(entries) > 0);
    }

    /** Returns true if an event that is pushed was not yet written to a connection. */
    public boolean pushesStill() {
        return locked(() -> !delivery.pushedAll(entries));
    }

    /** Returns true if no read since the last resume has returned the last output and the close. */
    public boolean unread() {
        return locked(() -> delivery.unread(lastOutputSeq));
    }

    /** Waits until the client has received all events; with {@code reads}, until it has read those that are not pushed. */
    public void awaitTold(boolean reads, Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!freed && left > 0 && delivery.attached() && untold(reads)) {
                left = told.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller has nothing more to do
        } finally {
            lock.unlock();
        }
    }

    private boolean untold(boolean reads) {
        return !delivery.pushedAll(entries) || (reads && delivery.mustRead() && delivery.unread(lastOutputSeq));
    }

    /** Takes the next event to push, in order of the numbers. One caller at a time. */
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

    /**
     * Called when the event with this number, and all before it, were written to a connection, perhaps one that was lost meanwhile:
     * the client may have got the event and come back before the writing thread went on.
     */
    void pushed(long seq) {
        locked(() -> {
            delivery.pushed(seq);
            told.signalAll();
            freeDelivered();
        });
    }

    public Optional<Exit> exit() {
        return locked(() -> exit);
    }

    /** The reason why the streams were given up; empty if they ended by themselves. */
    public Optional<String> closeReason() {
        return locked(() -> closeReason);
    }

    public boolean isClosed() {
        return locked(() -> closed);
    }

    public long nextSeq() {
        return locked(() -> entries.nextSeq());
    }

    /** Drops everything and wakes all waiting threads, because the process is forgotten. */
    public void free() {
        locked(() -> {
            if (!freed) {
                freed = true;
                room.signalAll();
                told.signalAll();
                changed.signalAll();
                view.wake();
                retention.budget().add(-spill.memoryBytes(), -entries.retainedBytes());
                entries.uncount();
                spill.close();
                freeDelivered();
            }
        });
    }

    /** Lets pumps that wait for room check again. */
    void lookForRoom() {
        locked(room::signalAll);
    }

    private void freeDelivered() {
        if (freed && pins == 0) {
            entries.clear(); // objects that still hold this log, such as timers, then keep no output alive
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
        view.wake();
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

    /** Returns true if all was dropped. The lock is held. */
    boolean freed() {
        return freed;
    }

    /** Returns true if no client is attached. The lock is held. */
    boolean unattended() {
        return !delivery.attached();
    }

    /** Called by the spill when bytes have left memory or cannot leave it any more. The lock is held. */
    void spillProgressed() {
        evict();
        room.signalAll();
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
