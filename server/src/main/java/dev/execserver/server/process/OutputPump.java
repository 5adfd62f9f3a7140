package dev.execserver.server.process;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Buffers;
import dev.execserver.sandbox.spawn.ClosedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one output stream of a process into its log.
 *
 * <p>Chunks are as large as what is there, up to {@link Buffers#BUFFER_BYTES}; nothing waits for more to come. The pump borrows a
 * buffer only while there is something to read, so that thousands of idle processes cost no buffers.
 *
 * <p>{@link #run} is the body of the pump's own virtual thread. The exit watcher and a terminating request call
 * {@link #expectEnd}; what they leave here is volatile and written before the pump is
 * woken.
 */
final class OutputPump implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);

    /** How often a terminal that nobody has open is looked at; the exit unparks. */
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private static final End NOTHING = new End(Ending.NONE, 0);

    private final AsyncFd fd;
    private final EventKind kind;
    private final Buffers buffers;
    private final OutputLog log;
    private final Owner owner;

    private volatile End announced = NOTHING;
    private volatile Thread thread;

    /** What was announced when the last read began; of the pump's thread, as are the next two. */
    private End seen = NOTHING;

    /** Bytes of it that are still to be read. */
    private long left;

    /** Whether it was read to its end. */
    private boolean done = true;

    /**
     * What was announced, as one object so that the pump never sees half of it.
     *
     * @param how what to do when everything that was there has been read
     * @param backlog bytes that were there
     */
    private record End(Ending how, long backlog) {}

    /** What the pump reports, from its own thread. */
    interface Owner {
        /** A chunk was appended to the log; must not wait. */
        void outputAppended(EventKind kind, byte[] chunk);

        /** What was appended is to be told; may wait for whoever is told. */
        void tellOutput();

        /** What was there when the end was announced has been read. */
        void drained(OutputPump pump);

        /** The stream has ended, or was given up. */
        void ended(OutputPump pump);
    }

    /** What happens when everything that is there has been read. */
    enum Ending {
        /** Wait for more. */
        NONE,
        /** Report it: the process has exited, though somebody else may still write. */
        REPORT,
        /** Let go of the stream. */
        STOP
    }

    OutputPump(AsyncFd fd, EventKind kind, Buffers buffers, OutputLog log, Owner owner) {
        this.fd = fd;
        this.kind = kind;
        this.buffers = buffers;
        this.log = log;
        this.owner = owner;
    }

    /**
     * Announces that what is in the pipe now is what matters. Whoever holds the other end may go on writing for ever, so
     * the bytes are counted here.
     */
    void expectEnd(Ending how) {
        long backlog = 0;
        try {
            backlog = fd.backlog();
        } catch (LinuxException | ClosedException gone) {
            LOG.trace("nothing to count in {}: {}", kind, gone.getMessage()); // reading on tells
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
     * What was there when the process ended is read even when its log is full, so that its end can be told. So is the end of
     * the stream, which may come later: whoever else had it open, if only between vfork(2) and exec.
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
                // That read may have been before the announcement: only reads after it tell what was there.
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
     * Closing a terminal sends SIGHUP to its session leader. Programs close their standard streams just before they exit
     * (cat(1) does), which looks like the end here, and some open /dev/tty again: the terminal stays until the exit, and it is
     * looked whether there is more. Nothing tells of an opening: poll(2) reports a hang-up as long as nobody has it open.
     */
    private void awaitExitOrTerminal() {
        LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
    }

    /** Reads and appends one chunk: its length, 0 at the end of the stream, -1 when nothing is there. */
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
        // Reading, encoding and sending may all go on without ever parking: let others have the carrier in between.
        // A read that the append has woken runs next then, on this carrier, and its answer takes the event along.
        Thread.yield();
        owner.tellOutput();
        return chunk.length;
    }

    private int fill(MemorySegment buffer) {
        int filled = fd.tryRead(buffer);
        while (filled > 0 && filled < buffer.byteSize()) {
            int more = fd.tryRead(buffer.asSlice(filled));
            if (more <= 0) {
                break; // an end of stream shows itself again at the next read
            }
            filled += more;
        }
        return filled;
    }
}
