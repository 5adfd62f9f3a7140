package dev.execserver.server.process.output;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one output stream of a process into its log.
 *
 * <p>A chunk is as large as the data that is there, up to {@link Buffers#BUFFER_BYTES}; the pump does not wait for
 * more. It borrows a buffer only while there is something to read, so that thousands of idle processes cost no buffers.
 *
 * <p>{@link #run} is the body of the pump's own virtual thread. The exit watcher and a terminating request call
 * {@link #expectEnd}. They write a volatile field before they wake the pump.
 */
public final class OutputPump implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);

    /** Interval at which the pump checks a terminal that no process has open. The exit unparks the pump. */
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private static final End NOTHING = new End(Ending.NONE, 0);

    private final AsyncFd fd;
    private final EventKind kind;
    private final Buffers buffers;
    private final OutputLog log;
    private final Owner owner;

    private volatile End announced = NOTHING;
    private volatile Thread thread;

    /** The announcement that was current when the last read began. Pump thread only, like the next two fields. */
    private End seen = NOTHING;

    /** Bytes of the announced backlog that are still to be read. */
    private long left;

    /** True if the announced backlog was read. */
    private boolean done = true;

    /**
     * An announcement of the end. One object, so that the pump never sees half of it.
     *
     * @param how what to do when the backlog has been read
     * @param backlog bytes that were in the stream at the announcement
     */
    private record End(Ending how, long backlog) {}

    /** Receives the pump's reports, on the pump's thread. */
    public interface Owner {
        /** A chunk was appended to the log. Must not wait. */
        void outputAppended(EventKind kind, byte[] chunk);

        /** The appended output is to be sent. May wait for the client. */
        void tellOutput();

        /** The backlog of the announcement has been read. */
        void drained(OutputPump pump);

        /** The stream has ended or was given up. */
        void ended(OutputPump pump);
    }

    /** Action when the announced backlog has been read. */
    public enum Ending {
        /** Wait for more. */
        NONE,
        /** Report it: the process has exited, but another process may still write. */
        REPORT,
        /** Give up the stream. */
        STOP
    }

    public OutputPump(AsyncFd fd, EventKind kind, Buffers buffers, OutputLog log, Owner owner) {
        this.fd = fd;
        this.kind = kind;
        this.buffers = buffers;
        this.log = log;
        this.owner = owner;
    }

    /**
     * Announces the end of the process. Counts the bytes in the pipe now, because another holder of the pipe may write
     * on for ever.
     */
    public void expectEnd(Ending how) {
        long backlog = 0;
        try {
            backlog = fd.backlog();
        } catch (LinuxException | ClosedException gone) {
            LOG.trace("nothing to count in {}: {}", kind, gone.getMessage()); // the next read shows the reason
        }
        announced = new End(how, backlog);
        fd.wake();
        log.lookForRoom();
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            pump();
        } catch (ClosedException letGo) {
            LOG.trace("{} was closed under its pump", kind);
        } catch (LinuxException broken) {
            LOG.warn("reading {} of a process: {}", kind, broken.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            fd.close();
            owner.ended(this);
        }
    }

    /**
     * Returns true while the pump reads the last output, which it does even if the log is full, so that the exit can be
     * reported. The last output includes the end of the stream. That end may come later, because another process may
     * have had the stream open, if only between vfork(2) and exec.
     */
    private boolean readsLast() {
        return announced != seen || !done || (seen != NOTHING && fd.use(FileCalls::available) == 0);
    }

    private void pump() throws InterruptedException {
        while (true) {
            log.awaitRoom(this::readsLast);
            int count = readChunk();
            if (count == 0 && kind == EventKind.PTY && announced == NOTHING) {
                awaitExitOrTerminal();
                continue;
            }
            if (count == 0 && (kind != EventKind.PTY || announced == seen)) {
                return;
            }
            if (announced != seen) {
                // That read may have happened before the announcement. Only later reads count against the backlog.
                seen = announced;
                left = seen.backlog();
                done = false;
                continue;
            }
            boolean nothingThere = count < 0;
            left = nothingThere ? 0 : left - count;
            if (left <= 0) {
                done = true;
                switch (seen.how()) {
                    case NONE -> {}
                    case REPORT -> owner.drained(this);
                    case STOP -> {
                        return;
                    }
                }
            }
            if (nothingThere && announced == seen) {
                fd.awaitReadable();
            }
        }
    }

    /**
     * Waits for the exit, or for a program that opens the terminal again. Programs such as cat(1) close their standard
     * streams just before they exit, which looks like the end of a terminal, and some then open /dev/tty again. So the
     * terminal stays open until the exit; closing it would send SIGHUP to its session leader. The pump must poll,
     * because nothing signals an open: poll(2) reports a hang-up as long as no process has the terminal open.
     */
    private void awaitExitOrTerminal() {
        LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
    }

    /** Reads and appends one chunk. Returns its length, 0 at the end of the stream, -1 if no data is there. */
    private int readChunk() {
        byte[] chunk;
        try (Buffers.Lease lease = buffers.borrow()) {
            int count = fill(lease.segment());
            if (count <= 0) {
                return count;
            }
            chunk = new byte[count];
            MemorySegment.copy(lease.segment(), ValueLayout.JAVA_BYTE, 0, chunk, 0, count);
        }
        log.append(kind, chunk);
        owner.outputAppended(kind, chunk);
        // Reading, encoding and sending may all go on without ever parking, so the pump yields the carrier here. A read
        // request that the append has woken then runs next on this carrier, and its answer takes the event along.
        Thread.yield();
        owner.tellOutput();
        return chunk.length;
    }

    private int fill(MemorySegment buffer) {
        int filled = fd.tryRead(buffer);
        while (filled > 0 && filled < buffer.byteSize()) {
            int more = fd.tryRead(buffer.asSlice(filled));
            if (more <= 0) {
                break; // the next read shows an end of stream again
            }
            filled += more;
        }
        return filled;
    }
}
