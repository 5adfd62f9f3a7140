package dev.execserver.sandbox.ledger;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores lines of text in a memory file, each in a slot. The size of a slot is a power of two; a slot does not cross a page
 * unless it is larger than one. Free slots are reused, so the file grows only to the greatest number of simultaneous lines. A
 * free slot begins with {@code -}. Any thread; the lock guards the lists of free slots and the end of the file.
 */
final class Slots {
    private static final int SMALLEST = 256;
    private static final int PAGE = 4096;
    private static final byte[] FREE = {'-'};
    private static final byte[] USED = {'+'};

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Deque<Long>> free = new HashMap<>();
    private final Fd file;
    private long end;

    Slots(Fd file) {
        this.file = file;
    }

    /** A place in the file. */
    record Slot(long offset, int size) {}

    /** @param line begins with {@code +} and has no line feed */
    Slot take(byte[] line) {
        int size = Math.max(SMALLEST, Integer.highestOneBit(line.length) << 1);
        byte[] padded = Arrays.copyOf(line, size);
        Arrays.fill(padded, line.length, size - 1, (byte) ' ');
        padded[size - 1] = '\n';
        Slot slot = place(size);
        if (size <= PAGE) {
            ContentCalls.write(file, padded, 0, size, slot.offset());
        } else {
            // A kill can come between the writes of two pages, so the line becomes valid last.
            padded[0] = FREE[0];
            ContentCalls.write(file, padded, 0, size, slot.offset());
            ContentCalls.write(file, USED, 0, 1, slot.offset());
        }
        return slot;
    }

    void free(Slot slot) {
        ContentCalls.write(file, FREE, 0, 1, slot.offset());
        lock.lock();
        try {
            free.get(slot.size()).push(slot.offset());
        } finally {
            lock.unlock();
        }
    }

    private Slot place(int size) {
        lock.lock();
        try {
            Deque<Long> places = free.computeIfAbsent(size, _ -> new ArrayDeque<>());
            if (places.isEmpty()) {
                grow(size, places);
            }
            return new Slot(places.pop(), size);
        } finally {
            lock.unlock();
        }
    }

    /** Adds whole pages of free lines, so that the file always consists of lines. */
    private void grow(int size, Deque<Long> places) {
        byte[] pages = new byte[Math.max(PAGE, size)];
        Arrays.fill(pages, (byte) ' ');
        for (int at = 0; at < pages.length; at += size) {
            pages[at] = FREE[0];
            pages[at + size - 1] = '\n';
            places.add(end + at);
        }
        ContentCalls.write(file, pages, 0, pages.length, end);
        end += pages.length;
    }

    List<String> lines() {
        byte[] all = new byte[(int) FileCalls.status(file).size()];
        int length = ContentCalls.read(file, all, 0, all.length, 0);
        return new String(all, 0, length, StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.startsWith("+"))
                .map(String::strip)
                .toList();
    }
}
