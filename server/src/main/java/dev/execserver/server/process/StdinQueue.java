package dev.execserver.server.process;

import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.InputMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue of input for one process, in order of arrival and limited in bytes.
 *
 * <p>The connection's reader thread queues and never waits: if the program does not read and the limit is reached, the
 * write fails at once. Short input that finds the queue empty is written to the kernel at once, which saves the start
 * of a thread. A virtual thread writes what the kernel does not take, and lives only while something is queued. One
 * thread writes at a time. {@code lock} guards the fields and is never held while writing.
 */
final class StdinQueue {

    /** Largest write that is tried at once, in bytes: a key, a line, some pasted lines. */
    static final int AT_ONCE_BYTES = 4 * 1024;

    private static final byte[] END_OF_INPUT = new byte[0];

    /**
     * Ctrl-D, the end-of-input character of a new terminal. Programs may choose another character, see VEOF in
     * termios(3).
     */
    private static final byte CTRL_D = 0x04;

    private static final Logger LOG = LoggerFactory.getLogger(StdinQueue.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
    private final WriteIds writeIds = new WriteIds();
    private final String processId;
    private final long maxBytes;
    private final boolean terminal;
    private final InputMemory memory;
    private final Buffers buffers;
    private AsyncFd fd;
    private long queuedBytes;
    private boolean open;
    private boolean writing;
    /** The last byte of input; a line feed before the first one. */
    private byte last = '\n';

    /**
     * Makes a queue.
     *
     * @param open false for a process without input
     * @param terminal true if input goes to a pseudo terminal, which gets an end-of-input character and is never closed
     * @param memory the process's part of the server's memory for input
     */
    StdinQueue(String processId, boolean open, boolean terminal, long maxBytes, InputMemory memory, Buffers buffers) {
        this.processId = processId;
        this.open = open;
        this.terminal = terminal;
        this.maxBytes = maxBytes;
        this.memory = memory;
        this.buffers = buffers;
    }

    /**
     * Queues one write. A write id that was accepted before is accepted again without writing.
     *
     * @throws RpcException -32603 with {@code data.reason} {@code "stdinFull"} if the limit of the process would be
     * exceeded, {@code "inputMemory"} if that of the server would be
     */
    WriteStatus write(byte[] bytes, Optional<String> writeId) {
        boolean atOnce = false;
        lock.lock();
        try {
            if (writeId.isPresent() && writeIds.contains(writeId.get())) {
                return WriteStatus.ACCEPTED;
            }
            if (!open) {
                return WriteStatus.STDIN_CLOSED;
            }
            if (bytes.length > maxBytes - queuedBytes) {
                throw full(bytes.length);
            }
            boolean grows = writeId.isPresent() && !writeIds.full();
            memory.reserve(bytes.length + (grows ? WriteIds.BYTES_EACH : 0L), "input of process " + processId);
            writeId.ifPresent(writeIds::add);
            if (bytes.length > 0) {
                queue.add(bytes);
                queuedBytes += bytes.length;
                last = bytes[bytes.length - 1];
                atOnce = !writing && fd != null && queue.size() == 1 && bytes.length <= AT_ONCE_BYTES;
                if (atOnce) {
                    writing = true;
                } else {
                    startWriter();
                }
            }
        } finally {
            lock.unlock();
        }
        if (atOnce) {
            writeAtOnce();
        }
        return WriteStatus.ACCEPTED;
    }

    /**
     * Waits until a write of this many bytes fits, or the queue is empty. Returns false if nothing is read any more.
     */
    boolean awaitRoom(int bytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (open && queuedBytes > 0 && bytes > maxBytes - queuedBytes) {
                room.await();
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private RpcException full(int length) {
        return RpcException.internal("stdin of process " + processId + " is full: " + queuedBytes
                        + " bytes wait for the program to read them, " + length + " more would pass the limit of "
                        + maxBytes)
                .withData("reason", "stdinFull")
                .withData("queuedBytes", queuedBytes)
                .withData("limitBytes", maxBytes);
    }

    /**
     * Ends the input behind everything that is queued. Later writes to a pipe are refused; a terminal stays open.
     *
     * @throws RpcException -32600 with {@code data.reason = "noEndOfFile"} if the terminal has no such character now
     */
    WriteStatus closeInput() {
        Optional<TerminalAttributes> now;
        try {
            now = terminal ? attributes() : Optional.empty();
        } catch (ClosedException e) {
            return WriteStatus.STDIN_CLOSED;
        }
        lock.lock();
        try {
            if (!open) {
                return WriteStatus.STDIN_CLOSED;
            }
            if (terminal) {
                endOfFile(now);
            } else {
                open = false;
                enqueue(END_OF_INPUT);
            }
            return WriteStatus.ACCEPTED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the settings of the terminal. Empty before the program runs, when the terminal still has its initial
     * settings.
     */
    private Optional<TerminalAttributes> attributes() {
        AsyncFd descriptor;
        lock.lock();
        try {
            descriptor = fd;
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(descriptor).map(master -> master.use(TerminalCalls::attributes));
    }

    /**
     * Queues the end-of-input character: twice in the middle of a line, where the first one only submits the typed
     * text.
     */
    private void endOfFile(Optional<TerminalAttributes> now) {
        byte character = now.map(this::endOfFile).orElse(CTRL_D);
        boolean lineEnded =
                now.map(mode -> mode.endsLine(last)).orElseGet(() -> last == '\n' || last == '\r' || last == CTRL_D);
        byte[] end = lineEnded ? new byte[] {character} : new byte[] {character, character};
        if (end.length > maxBytes - queuedBytes) {
            throw full(end.length);
        }
        memory.reserve(end.length, "input of process " + processId);
        last = '\n';
        enqueue(end);
    }

    private byte endOfFile(TerminalAttributes mode) {
        if (mode.allRaw()) {
            throw noEndOfFile("has its terminal in raw mode, in which no character ends the input");
        }
        return mode.endOfFile()
                .orElseThrow(() -> noEndOfFile("has switched the end-of-file character of its terminal off"));
    }

    private RpcException noEndOfFile(String why) {
        return RpcException.invalidRequest("process " + processId + " " + why
                        + "; write what the program itself takes for the end, or terminate it")
                .withData("reason", "noEndOfFile");
    }

    private void enqueue(byte[] bytes) {
        queue.add(bytes);
        queuedBytes += bytes.length;
        startWriter();
    }

    private void startWriter() {
        if (!writing && fd != null && !queue.isEmpty()) {
            writing = true;
            Threads.virtual("stdin", this::writeOut);
        }
    }

    /** Sets the descriptor when the program runs, and writes what was queued before. */
    void connect(AsyncFd descriptor) {
        lock.lock();
        try {
            fd = descriptor;
            startWriter();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the queue and refuses later writes, because no process reads any more. */
    void shut() {
        AsyncFd descriptor;
        lock.lock();
        try {
            open = false;
            queue.clear();
            memory.release(queuedBytes);
            queuedBytes = 0;
            room.signalAll();
            descriptor = fd;
        } finally {
            lock.unlock();
        }
        if (descriptor != null && !terminal) {
            descriptor.close();
        }
    }

    /**
     * Writes what the kernel takes without waiting, because the descriptor is non-blocking. Leaves the rest to a
     * thread.
     */
    private void writeAtOnce() {
        try {
            byte[] first = take();
            if (first == null) {
                return; // shut meanwhile
            }
            int done = tryWrite(first);
            if (done < first.length) {
                Threads.virtual("stdin", () -> writeOut(first, done));
                return;
            }
            written(first.length);
            lock.lock();
            try {
                writing = false;
                startWriter(); // for input that other threads have queued meanwhile
            } finally {
                lock.unlock();
            }
        } catch (LinuxException | ClosedException e) {
            gone(e);
        }
    }

    private int tryWrite(byte[] bytes) {
        try (Buffers.Lease lease = buffers.borrow()) {
            MemorySegment buffer = lease.segment().asSlice(0, bytes.length);
            MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return Math.max(0, fd.tryWrite(buffer));
        }
    }

    private void writeOut(byte[] begun, int done) {
        try {
            write(begun, done);
            written(begun.length);
        } catch (LinuxException | ClosedException e) {
            gone(e);
            return;
        }
        writeOut();
    }

    private void gone(RuntimeException e) {
        LOG.debug("stdin of a process is gone: {}", e.getMessage());
        shut();
    }

    private void writeOut() {
        try {
            for (byte[] next = take(); next != null; next = take()) {
                if (next == END_OF_INPUT) {
                    fd.close();
                    return;
                }
                write(next, 0);
                written(next.length);
            }
        } catch (LinuxException | ClosedException e) {
            gone(e);
        }
    }

    private byte[] take() {
        lock.lock();
        try {
            byte[] next = queue.poll();
            writing = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void written(int length) {
        lock.lock();
        try {
            if (queuedBytes > 0) { // else it was shut meanwhile and the memory released
                queuedBytes -= length;
                memory.release(length);
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(byte[] bytes, int alreadyWritten) {
        try (Buffers.Lease lease = buffers.borrow()) {
            MemorySegment buffer = lease.segment();
            for (int from = alreadyWritten; from < bytes.length; ) {
                int length = (int) Math.min(buffer.byteSize(), bytes.length - from);
                MemorySegment.copy(bytes, from, buffer, ValueLayout.JAVA_BYTE, 0, length);
                for (int done = 0; done < length; ) {
                    done += fd.write(buffer.asSlice(done, length - done));
                }
                from += length;
            }
        }
    }
}
