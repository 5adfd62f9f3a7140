package dev.execserver.server.process.output;

import dev.execserver.server.process.output.LogSlice.Gap;
import java.util.Optional;

/**
 * Ring of the events of one process in order of their sequence numbers, without holes: entry {@code i} has the number
 * {@code firstSeq() + i}.
 *
 * <p>Parallel arrays hold the entries, because a program that writes single bytes makes tens of thousands of them. An
 * entry knows its offset in the whole output of the process ({@link #startOf}), so the number of bytes between two
 * entries is one subtraction. Not thread safe: {@link OutputLog} guards it.
 */
final class EntryRing {

    /**
     * Bytes that an event takes besides its output: its slots in the four arrays, which may be half empty, and the
     * array header of its output.
     */
    static final long EVENT_BYTES = 72;

    /**
     * Largest number of events kept per process. With single-byte events the bookkeeping would else take more memory
     * than the output. Also, one answer with all of them, four JSON values each, must stay below the number of values
     * that clients accept.
     */
    static final int MAX_EVENTS = 60_000;

    /** Number of events that a process may keep even when the server has no room for more. */
    static final int MIN_EVENTS = 1_024;

    private static final int INITIAL_CAPACITY = 8;
    private static final long NOT_SPILLED = -1;

    private final RetentionBudget budget;
    private boolean counted = true;
    private EventKind[] kinds;
    private long[] starts;
    private byte[][] data;
    private long[] spilled;
    private int head;
    private int size;
    private long firstSeq = 1;
    private long totalBytes;

    int size() {
        return size;
    }

    EntryRing(RetentionBudget budget) {
        this.budget = budget;
        allocate();
    }

    /**
     * Returns true if no more events may be kept: {@link #MAX_EVENTS} are kept, or the server has no room and
     * {@link #MIN_EVENTS} or more are kept from that number on.
     */
    boolean full(long fromSeq) {
        return size >= MAX_EVENTS || (budget.crowded() && nextSeq() - fromSeq >= MIN_EVENTS);
    }

    /** Takes all entries out of the server's count, because they are about to become garbage. */
    void uncount() {
        budget.addEvents(-size);
        counted = false;
    }

    private void count(int change) {
        if (counted) {
            budget.addEvents(change);
        }
    }

    /** The number of slots, used or free. */
    int capacity() {
        return kinds.length;
    }

    long firstSeq() {
        return firstSeq;
    }

    long nextSeq() {
        return firstSeq + size;
    }

    /** Returns the bytes of all entries ever added, removed ones included. */
    long totalBytes() {
        return totalBytes;
    }

    /** Returns the bytes of the entries that are still kept. */
    long retainedBytes() {
        return totalBytes - startOf(firstSeq);
    }

    long add(EventKind kind, byte[] bytes) {
        if (size == kinds.length) {
            resize(kinds.length * 2);
        }
        int slot = slot(nextSeq());
        kinds[slot] = kind;
        starts[slot] = totalBytes;
        data[slot] = bytes;
        spilled[slot] = NOT_SPILLED;
        size++;
        count(1);
        totalBytes += bytes.length;
        return nextSeq() - 1;
    }

    void removeFirst() {
        int slot = slot(firstSeq);
        data[slot] = null;
        head = (head + 1) & (kinds.length - 1);
        size--;
        count(-1);
        firstSeq++;
        if (size < kinds.length / 4 && kinds.length > INITIAL_CAPACITY) {
            resize(kinds.length / 2);
        }
    }

    /** Removes all entries. */
    void clear() {
        count(-size);
        firstSeq = nextSeq();
        head = 0;
        size = 0;
        allocate();
    }

    private void allocate() {
        kinds = new EventKind[INITIAL_CAPACITY];
        starts = new long[INITIAL_CAPACITY];
        data = new byte[INITIAL_CAPACITY][];
        spilled = new long[INITIAL_CAPACITY];
    }

    boolean contains(long seq) {
        return seq >= firstSeq && seq < nextSeq();
    }

    EventKind kindOf(long seq) {
        return kinds[slot(seq)];
    }

    /**
     * Returns the offset in the whole output at which the entry's bytes begin; for {@link #nextSeq()} the end of the
     * output.
     */
    long startOf(long seq) {
        return seq >= nextSeq() ? totalBytes : starts[slot(seq)];
    }

    int lengthOf(long seq) {
        return (int) (startOf(seq + 1) - startOf(seq));
    }

    /** Returns the entry's bytes, or null if they were moved to the spill file. */
    byte[] dataOf(long seq) {
        return data[slot(seq)];
    }

    long spillPositionOf(long seq) {
        return spilled[slot(seq)];
    }

    void markSpilled(long seq, long position) {
        int slot = slot(seq);
        data[slot] = null;
        spilled[slot] = position;
    }

    private int slot(long seq) {
        return (head + (int) (seq - firstSeq)) & (kinds.length - 1);
    }

    /** Moves the entries to new arrays of that length, a power of two, with the first entry at index 0. */
    private void resize(int capacity) {
        EventKind[] newKinds = new EventKind[capacity];
        long[] newStarts = new long[capacity];
        byte[][] newData = new byte[capacity][];
        long[] newSpilled = new long[capacity];
        for (int i = 0; i < size; i++) {
            int slot = slot(firstSeq + i);
            newKinds[i] = kinds[slot];
            newStarts[i] = starts[slot];
            newData[i] = data[slot];
            newSpilled[i] = spilled[slot];
        }
        kinds = newKinds;
        starts = newStarts;
        data = newData;
        spilled = newSpilled;
        head = 0;
    }

    /** Returns the gap for a reader at this number if events after it were dropped. */
    Optional<Gap> gapAfter(long afterSeq) {
        long dropped = totalBytes() - retainedBytes();
        return dropped > 0 && afterSeq < firstSeq() - 1 ? Optional.of(new Gap(firstSeq(), dropped)) : Optional.empty();
    }
}
