package dev.execserver.server.mcp.shell;

import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The beginning and the end of a stream of bytes, with a bound; what is between them is counted only. Takes memory of the
 * server's share as it grows, and keeps less where there is none. One thread.
 */
final class OutputCapture implements AutoCloseable {
    private static final int FIRST_BYTES = 8 * 1024;

    /** Memory that is taken in any case, so that a short output is always complete. */
    private static final int FREE_BYTES = 2 * FIRST_BYTES;

    private final MemoryBudget memory;
    private final int headLimit;
    private final int tailLimit;
    private byte[] head = new byte[FIRST_BYTES];
    private int headLength;
    /** Ring with the last bytes. */
    private byte[] tail = new byte[0];

    private int tailStart;
    private int tailLength;
    private long total;
    private long reserved;
    private boolean headFull;

    /** @param maxBytes bytes that are kept */
    OutputCapture(int maxBytes, MemoryBudget memory) {
        this(maxBytes / 2, maxBytes - maxBytes / 2, memory);
    }

    private OutputCapture(int headLimit, int tailLimit, MemoryBudget memory) {
        this.memory = memory;
        this.headLimit = headLimit;
        this.tailLimit = tailLimit;
    }

    /** Returns one that keeps the beginning alone. */
    static OutputCapture beginning(int maxBytes, MemoryBudget memory) {
        return new OutputCapture(maxBytes, 0, memory);
    }

    void add(byte[] bytes, int offset, int length) {
        total += length;
        int taken = headFull ? 0 : addToHead(bytes, offset, length);
        addToTail(bytes, offset + taken, length - taken);
    }

    /** Returns the number of bytes that came. */
    long total() {
        return total;
    }

    /** Returns the number of bytes that are not kept. */
    long omitted() {
        return total - headLength - tailLength;
    }

    private int addToHead(byte[] bytes, int offset, int length) {
        int wanted = Math.min(length, headLimit - headLength);
        head = grown(head, headLength, headLength + wanted, headLimit);
        int taken = Math.min(wanted, head.length - headLength);
        System.arraycopy(bytes, offset, head, headLength, taken);
        headLength += taken;
        headFull = taken < length;
        return taken;
    }

    private void addToTail(byte[] bytes, int offset, int length) {
        if (length == 0) {
            return;
        }
        makeTailRoom((int) Math.min(tailLimit, (long) tailLength + length));
        int from = offset + Math.max(0, length - tail.length);
        int count = offset + length - from;
        int excess = Math.max(0, tailLength + count - tail.length);
        if (tail.length == 0) {
            return;
        }
        tailStart = (tailStart + excess) % tail.length;
        tailLength -= excess;
        int at = (tailStart + tailLength) % tail.length;
        int first = Math.min(count, tail.length - at);
        System.arraycopy(bytes, from, tail, at, first);
        System.arraycopy(bytes, from + first, tail, 0, count - first);
        tailLength += count;
    }

    private void makeTailRoom(int needed) {
        if (needed <= tail.length) {
            return;
        }
        byte[] larger = grown(tail, 0, needed, tailLimit);
        if (larger.length == 0) {
            larger = new byte[Math.min(FIRST_BYTES, tailLimit)]; // the end of an output is worth that much in any case
        }
        if (larger.length > tail.length) {
            byte[] kept = tailBytes();
            System.arraycopy(kept, 0, larger, 0, kept.length);
            tail = larger;
            tailStart = 0;
        }
    }

    /** Returns a larger copy, or the same array if there is no memory for one. */
    private byte[] grown(byte[] array, int used, int needed, int limit) {
        if (needed <= array.length) {
            return array;
        }
        int size = Math.min(limit, Math.max(Math.max(needed, FIRST_BYTES), array.length * 2));
        int more = size - array.length;
        boolean free = reserved == 0 && size <= FREE_BYTES;
        if (!free) {
            if (!memory.tryReserve(more)) {
                return array;
            }
            reserved += more;
        }
        byte[] larger = new byte[size];
        System.arraycopy(array, 0, larger, 0, used);
        return larger;
    }

    private byte[] tailBytes() {
        byte[] bytes = new byte[tailLength];
        int first = Math.min(tailLength, tail.length - tailStart);
        System.arraycopy(tail, tailStart, bytes, 0, first);
        System.arraycopy(tail, 0, bytes, first, tailLength - first);
        return bytes;
    }

    /** Returns the text. Bytes that are not UTF-8 become U+FFFD; a line stands for what is missing. */
    String text() {
        byte[] end = tailBytes();
        if (omitted() == 0) {
            byte[] all = Arrays.copyOf(head, headLength + end.length);
            System.arraycopy(end, 0, all, headLength, end.length);
            return new String(all, StandardCharsets.UTF_8);
        }
        int cut = Utf8Boundary.completeLength(head, 0, headLength);
        int skip = Utf8Boundary.continuation(end);
        String before = new String(head, 0, cut, StandardCharsets.UTF_8);
        String after = new String(end, skip, end.length - skip, StandardCharsets.UTF_8);
        return before + "\n[... " + omitted() + " bytes omitted ...]\n" + after;
    }

    /** Returns the beginnings of two streams one after the other, cut. */
    static String joined(OutputCapture first, OutputCapture second, int maxBytes) {
        byte[] all = Arrays.copyOf(first.head, Math.min(maxBytes, first.headLength + second.headLength));
        int behind = Math.min(first.headLength, all.length);
        System.arraycopy(second.head, 0, all, behind, all.length - behind);
        boolean cut = first.total + second.total > all.length;
        int length = cut ? Utf8Boundary.completeLength(all, 0, all.length) : all.length;
        return new String(all, 0, length, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        memory.release(reserved);
        reserved = 0;
    }
}
