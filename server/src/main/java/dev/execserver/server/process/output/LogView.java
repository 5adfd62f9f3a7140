package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.memory.AnswerMemory;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The output log of one process as observers see it. They look and change nothing: no look acknowledges output, pins it or delays
 * its eviction, so the process and its client never wait for an observer. Whoever comes too late for what was dropped gets the next that
 * is kept, and learns by the offset how much is missing. Nothing is queued for observers; each request takes the memory of its answer.
 *
 * <p>Request threads enter. The lock is that of {@link OutputLog}; files are read without it.
 */
public final class LogView {

    /** Most bytes of one look. */
    public static final long MAX_BYTES = 256 * 1024L;

    /** Most events of one look: single bytes take far more memory and time than their output. */
    static final int MAX_EVENTS = 2_000;

    /** Time for which a look that waits gathers output, so that many small pieces become one answer. */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Time between two questions whether the client is still there, or whether all observers together may have more. */
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Output from which on a look does not gather more. */
    private static final long ENOUGH_BYTES = 64 * 1024L;

    private final OutputLog log;
    private final ReentrantLock lock;
    private final Condition news;
    private final Condition rest;
    private final RetentionBudget budget;
    private final EntryRing entries;
    private final Spill spill;
    private int waiting;

    LogView(OutputLog log, ReentrantLock lock, RetentionBudget budget, EntryRing entries, Spill spill) {
        this.log = log;
        this.lock = lock;
        this.news = lock.newCondition();
        this.rest = lock.newCondition();
        this.budget = budget;
        this.entries = entries;
        this.spill = spill;
    }

    /**
     * Output that an observer has seen.
     *
     * @param offset position of its first byte in the whole output
     * @param endOffset position behind its last byte
     * @param output what {@code process/read} would say
     */
    public record Look(long offset, long endOffset, ReadResult output) {}

    /**
     * Chunks that were chosen, and where their bytes are.
     *
     * @param endOffset position behind the last byte
     * @param slice the answer without bytes
     */
    private record Choice(Selection chosen, List<Spill.Place> places, long endOffset, LogSlice slice) {}

    /** Wakes the observers that wait. The lock is held. */
    void wake() {
        if (waiting > 0) {
            news.signalAll();
        }
    }

    /** Returns the number of the newest event. */
    public long lastSeq() {
        return log.nextSeq() - 1;
    }

    /**
     * Waits until there is an event after {@code afterSeq}, or the log has ended, or the time is over.
     *
     * @param cancelled returns true when nobody waits for the answer any more
     * @return the nanoseconds that are left
     */
    public long await(long afterSeq, long nanos, BooleanSupplier cancelled) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (!ready(afterSeq) && left > 0 && !cancelled.getAsBoolean()) {
                long slice = Math.min(left, CHECK_NANOS);
                waiting++;
                try {
                    left -= slice - Math.max(0, news.awaitNanos(slice));
                } finally {
                    waiting--;
                }
            }
            if (nanos > 0 && !over() && waitingBytes(afterSeq) < ENOUGH_BYTES) {
                left -= pause();
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private long pause() throws InterruptedException {
        return GATHER_NANOS - Math.max(0, rest.awaitNanos(GATHER_NANOS)); // nobody signals it
    }

    /** Returns true if nothing more can come. */
    public boolean over() {
        lock.lock();
        try {
            return log.freed() || log.isClosed();
        } finally {
            lock.unlock();
        }
    }

    private boolean ready(long afterSeq) {
        return entries.nextSeq() - 1 > afterSeq || over();
    }

    private long waitingBytes(long afterSeq) {
        long after = Math.min(afterSeq, entries.nextSeq());
        return entries.totalBytes() - entries.startOf(Math.max(after + 1, entries.firstSeq()));
    }

    /**
     * Returns output for an observer, at the pace that all observers of the server share.
     *
     * @param lastBytes passes over all but about so many bytes of the newest output; empty for everything that is kept
     * @param maxBytes most bytes, but at least one chunk
     * @param cancelled returns true when nobody waits for the answer any more
     */
    public Look look(
            long afterSeq, OptionalLong lastBytes, long maxBytes, AnswerMemory memory, BooleanSupplier cancelled)
            throws InterruptedException {
        while (true) {
            Choice choice = choose(afterSeq, lastBytes, maxBytes, false);
            if (cancelled.getAsBoolean() || budget.mayObserve(choice.chosen().memoryBytes())) {
                return load(choice, afterSeq, lastBytes, maxBytes, memory);
            }
            lock.lockInterruptibly();
            try {
                long _ = pause();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns output as {@link #look} does, at no pace, for a reader of the server itself. */
    public Look lookAtOnce(long afterSeq, long maxBytes, AnswerMemory memory) {
        return load(
                choose(afterSeq, OptionalLong.empty(), maxBytes, false),
                afterSeq,
                OptionalLong.empty(),
                maxBytes,
                memory);
    }

    private Look load(Choice choice, long afterSeq, OptionalLong lastBytes, long maxBytes, AnswerMemory memory) {
        memory.takeAhead(choice.chosen().memoryBytes());
        Optional<List<OutputEvent>> events = loaded(choice);
        Choice told = choice;
        if (events.isEmpty()) {
            told = choose(afterSeq, lastBytes, maxBytes, true); // it was dropped meanwhile: what memory has cannot be
            memory.takeAhead(told.chosen().memoryBytes());
            events = loaded(told);
        }
        memory.reserve(told.chosen().loadedBytes());
        LogSlice slice = told.slice().with(events.orElse(List.of()));
        return new Look(told.endOffset() - told.chosen().bytes(), told.endOffset(), ReadResults.of(slice));
    }

    /** Returns the events with their bytes; empty if some were dropped while their bytes were read from the file. */
    private Optional<List<OutputEvent>> loaded(Choice choice) {
        if (choice.places().stream().allMatch(place -> place.bytes() != null)) {
            return Optional.of(spill.loadPlaces(choice.places()));
        }
        Optional<List<OutputEvent>> events;
        try {
            events = Optional.of(spill.loadPlaces(choice.places()));
        } catch (UncheckedIOException e) {
            if (kept(choice)) {
                throw e;
            }
            return Optional.empty();
        }
        return kept(choice) ? events : Optional.empty();
    }

    private boolean kept(Choice choice) {
        lock.lock();
        try {
            return !log.freed() && entries.contains(choice.places().getFirst().seq());
        } finally {
            lock.unlock();
        }
    }

    private Choice choose(long afterSeq, OptionalLong lastBytes, long maxBytes, boolean inMemory) {
        lock.lock();
        try {
            long after = Math.max(afterSeq, lastBytes.isPresent() ? before(lastBytes.getAsLong()) : 0);
            after = inMemory ? Math.max(after, spill.firstInMemory() - 1) : after;
            Selection chosen = Selection.of(entries, after, Math.min(maxBytes, MAX_BYTES), MAX_EVENTS);
            long nextSeq = chosen.cut() ? chosen.numbers().getLast() + 1 : entries.nextSeq();
            LogSlice slice = new LogSlice(
                    List.of(),
                    nextSeq,
                    chosen.cut() ? Optional.empty() : log.exit(),
                    log.isClosed() && !chosen.cut(),
                    entries.gapAfter(afterSeq));
            long end = entries.startOf(nextSeq);
            return new Choice(chosen, spill.places(chosen.numbers()), end, slice);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number before the newest events that have at least so many bytes. */
    private long before(long lastBytes) {
        long low = entries.firstSeq();
        long high = entries.nextSeq();
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (entries.totalBytes() - entries.startOf(middle) >= lastBytes) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low - 1;
    }
}
