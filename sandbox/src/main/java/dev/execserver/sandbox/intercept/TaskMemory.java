package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a task, read through /proc/TID/mem. The open file holds the memory of that moment, so a caller that finds the
 * task still waiting afterwards knows that it has read the right one. Reads whole pages and keeps the last. One platform
 * thread.
 */
final class TaskMemory implements AutoCloseable {
    /** The kernel takes no more for arguments and environment together: three quarters of 8 MiB, see execve(2). */
    static final int MAX_ARGUMENT_BYTES = 6 * 1024 * 1024;

    private static final int PAGE = 4096;
    private static final int POINTER = 8;

    private final Fd memory;
    private final byte[] page = new byte[PAGE];
    private long pageAddress = -1;
    private int pageBytes;

    /** @throws LinuxException EACCES if the task has made itself unreadable (PR_SET_DUMPABLE), ENOENT if it is gone */
    TaskMemory(int tid) {
        memory = FileCalls.open(("/proc/" + tid + "/mem").getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0);
    }

    /**
     * Returns the bytes before the next NUL.
     *
     * @throws LinuxException EFAULT, as the system call would give, or {@code tooLong} if there are more than {@code limit}
     */
    byte[] string(long address, int limit, int tooLong) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(64);
        long at = address;
        while (true) {
            load(at);
            int from = (int) (at - pageAddress);
            int end = from;
            while (end < pageBytes && page[end] != 0) {
                end++;
            }
            if (text.size() + end - from > limit) {
                throw new LinuxException("read", "string of a task", tooLong);
            }
            text.write(page, from, end - from);
            if (end < pageBytes) {
                return text.toByteArray();
            }
            at = pageAddress + pageBytes;
        }
    }

    /** Returns the strings of a vector that ends with a null pointer. A null vector is empty, as it is for Linux. */
    List<byte[]> strings(long address) {
        List<byte[]> strings = new ArrayList<>();
        if (address == 0) {
            return strings;
        }
        int left = MAX_ARGUMENT_BYTES;
        for (long pointer : pointers(address)) {
            byte[] string = string(pointer, left, Errno.E2BIG);
            left -= string.length + 1 + POINTER;
            strings.add(string);
        }
        return strings;
    }

    private List<Long> pointers(long address) {
        List<Long> pointers = new ArrayList<>();
        ByteBuffer eight = ByteBuffer.allocate(POINTER).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = address; ; at += POINTER) {
            for (int i = 0; i < POINTER; i++) {
                load(at + i);
                eight.put(i, page[(int) (at + i - pageAddress)]);
            }
            long pointer = eight.getLong(0);
            if (pointer == 0) {
                return pointers;
            }
            if (pointers.size() >= MAX_ARGUMENT_BYTES / POINTER) {
                throw new LinuxException("read", "strings of a task", Errno.E2BIG);
            }
            pointers.add(pointer);
        }
    }

    /** Returns that many bytes. @throws LinuxException EFAULT if they are not all there */
    byte[] bytes(long address, int count) {
        byte[] found = new byte[count];
        for (int done = 0; done < count; ) {
            load(address + done);
            int from = (int) (address + done - pageAddress);
            int some = Math.min(count - done, pageBytes - from);
            if (some <= 0) {
                throw new LinuxException("read", "memory of a task", Errno.EFAULT);
            }
            System.arraycopy(page, from, found, done, some);
            done += some;
        }
        return found;
    }

    /** Makes the page that holds the address the kept one. */
    private void load(long address) {
        long start = address & -PAGE;
        if (start != pageAddress) {
            pageAddress = -1;
            try {
                pageBytes = address < 0 ? 0 : ContentCalls.read(memory, page, 0, PAGE, start);
            } catch (LinuxException e) {
                // The kernel answers EIO for an address without memory.
                throw new LinuxException("read", "memory of a task", e.errno() == Errno.EIO ? Errno.EFAULT : e.errno());
            }
            if (pageBytes == 0) {
                throw new LinuxException("read", "memory of a task", address < 0 ? Errno.EFAULT : Errno.ESRCH);
            }
            pageAddress = start;
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
