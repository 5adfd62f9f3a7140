package dev.execserver.server.process;

import java.util.Arrays;

/**
 * The events of one process in the order of their sequence numbers, without holes: entry {@code i} has the number
 * {@code firstSeq() + i}.
 *
 * <p>Kept in parallel arrays because a program that writes single bytes makes tens of thousands of entries. An entry
 * knows where its bytes begin in the whole output of the process ({@link #startOf}), so that "how many bytes lie between
 * two entries" is one subtraction. Not thread safe: {@link OutputLog} guards it.
 */
final class EntryRing {

    private static final int INITIAL_CAPACITY = 8;
    private static final long NOT_SPILLED = -1;

    private EventKind[] kinds;
    private long[] starts;
    private byte[][] data;
    private long[] spilled;
    private int head;
    private int size;
    private long firstSeq = 1;
    private long totalBytes;

    EntryRing() {
        allocate();
    }

    int size() {
        return size;
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
            grow();
        }
        int slot = slot(nextSeq());
        kinds[slot] = kind;
        starts[slot] = totalBytes;
        data[slot] = bytes;
        spilled[slot] = NOT_SPILLED;
        size++;
        totalBytes += bytes.length;
        return nextSeq() - 1;
    }

    void removeFirst() {
        int slot = slot(firstSeq);
        data[slot] = null;
        head = (head + 1) & (kinds.length - 1);
        size--;
        firstSeq++;
    }

    /** Removes all entries. */
    void clear() {
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

    private void grow() {
        int old = kinds.length;
        rotateToZero(old);
        kinds = Arrays.copyOf(kinds, old * 2);
        starts = Arrays.copyOf(starts, old * 2);
        data = Arrays.copyOf(data, old * 2);
        spilled = Arrays.copyOf(spilled, old * 2);
    }

    private void rotateToZero(int capacity) {
        if (head == 0) {
            return;
        }
        EventKind[] newKinds = new EventKind[capacity];
        long[] newStarts = new long[capacity];
        byte[][] newData = new byte[capacity][];
        long[] newSpilled = new long[capacity];
        int tail = capacity - head;
        System.arraycopy(kinds, head, newKinds, 0, tail);
        System.arraycopy(kinds, 0, newKinds, tail, head);
        System.arraycopy(starts, head, newStarts, 0, tail);
        System.arraycopy(starts, 0, newStarts, tail, head);
        System.arraycopy(data, head, newData, 0, tail);
        System.arraycopy(data, 0, newData, tail, head);
        System.arraycopy(spilled, head, newSpilled, 0, tail);
        System.arraycopy(spilled, 0, newSpilled, tail, head);
        kinds = newKinds;
        starts = newStarts;
        data = newData;
        spilled = newSpilled;
        head = 0;
    }
}
