package dev.execserver.server.process;

import dev.execserver.server.process.LogSlice.Gap;
import java.util.Optional;

/**
 * The events of one process in the order of their sequence numbers, without holes: entry {@code i} has the number
 * {@code firstSeq() + i}.
 *
 * <p>Kept in parallel arrays because a program that writes single bytes makes tens of thousands of entries. An entry
 * knows where its bytes begin in the whole output of the process ({@link #startOf}), so that "how many bytes lie between
 * two entries" is one subtraction. Not thread safe: {@link OutputLog} guards it.
 */
final class EntryRing {

    /**
     * What an event takes beside its bytes: its place in the four arrays, which may be half empty, and the header of the
     * array of its bytes.
     */
    static final long EVENT_BYTES = 72;

    /**
     * Events kept per process, whatever their size: single bytes must not cost more memory in numbers than in bytes, and one
     * answer with all of them, of four values each, must stay below the values that clients take.
     */
    static final int MAX_EVENTS = 60_000;

    /** Events that a process may keep when the server has no room for more. */
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

    /** Whether no more are to be kept: of all, or of those from that number on while the server has no room. */
    boolean full(long fromSeq) {
        return size >= MAX_EVENTS || (budget.crowded() && nextSeq() - fromSeq >= MIN_EVENTS);
    }

    /** They are about to become garbage: no entry counts from now on. */
    void uncount() {
        budget.addEvents(-size);
        counted = false;
    }

    private void count(int change) {
        if (counted) {
            budget.addEvents(change);
        }
    }

    /** Places for entries, taken or free. */
    int capacity() {
        return kinds.length;
    }

    long firstSeq() {
        return firstSeq;
    }

    long nextSeq() {
        return firstSeq + size;
    }

    /** Bytes of all entries that ever were, removed ones included. */
    long totalBytes() {
        return totalBytes;
    }

    /** Bytes of the entries that are still here. */
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

    /** Offset in the whole output at which the entry's bytes begin; for {@link #nextSeq()} the end of the output. */
    long startOf(long seq) {
        return seq >= nextSeq() ? totalBytes : starts[slot(seq)];
    }

    int lengthOf(long seq) {
        return (int) (startOf(seq + 1) - startOf(seq));
    }

    /** The entry's bytes, or null when they were moved to the spill file. */
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

    /** Begins anew in arrays of that length, a power of two, with the first entry in front. */
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

    /** What a reader behind this number has missed because it was dropped. */
    Optional<Gap> gapAfter(long afterSeq) {
        long dropped = totalBytes() - retainedBytes();
        return dropped > 0 && afterSeq < firstSeq() - 1 ? Optional.of(new Gap(firstSeq(), dropped)) : Optional.empty();
    }
}
