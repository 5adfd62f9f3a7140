package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.PipeCalls.Pipe;
import dev.execserver.sandbox.linux.TcpCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Copies one direction of a relay between two sockets. It writes all it has read before it reads again, so that a slow
 * receiver slows the sender down, and it passes the end of the stream on. A native buffer is borrowed only while bytes move.
 * A busy connection gets a pipe, through which splice(2) moves the pages without copying. Runs on one virtual thread, which
 * parks.
 */
public final class SocketCopy implements AutoCloseable {
    /** Bytes after which a pipe is worth its cost: two descriptors and some pages of the kernel. */
    static final long BUSY_BYTES = 1 << 20;

    private static final int PIPE_BYTES = 1 << 18;
    private static final int SPLICE_BYTES = 1 << 20;
    private static final long LONG_TIME = Duration.ofDays(1).toNanos();

    private final AsyncFd from;
    private final AsyncFd to;
    private final Buffers buffers;
    private final BooleanSupplier spare;
    private final LongConsumer watcher;
    private Optional<Pipe> pipe = Optional.empty();

    private SocketCopy(AsyncFd from, AsyncFd to, Buffers buffers, BooleanSupplier spare, LongConsumer watcher) {
        this.from = from;
        this.to = to;
        this.buffers = buffers;
        this.spare = spare;
        this.watcher = watcher;
    }

    /**
     * Copies until the end of the stream, and then sends the end to the receiver.
     *
     * @param spare returns true if descriptors are left for a pipe
     * @param watcher gets the bytes of each step after they are written, on this thread
     * @return bytes copied
     * @throws LinuxException if one of the peers is gone
     * @throws ClosedException if this server has closed one of the sockets
     */
    public static long copy(AsyncFd from, AsyncFd to, Buffers buffers, BooleanSupplier spare, LongConsumer watcher) {
        try (SocketCopy copy = new SocketCopy(from, to, buffers, spare, watcher)) {
            return copy.run();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield only saves work, nothing relies on it
    private long run() {
        long copied = 0;
        boolean yielded = false;
        while (true) {
            long count = pipe.isPresent() ? splice(pipe.get()) : move();
            if (count == 0) {
                to.use(TcpCalls::shutdownWrite);
                return copied;
            }
            if (count > 0) {
                watcher.accept(count);
                copied += count;
                yielded = false;
                openPipe(copied);
            } else if (!yielded && Thread.currentThread().isVirtual()) {
                yielded = true;
                Thread.yield();
            } else {
                yielded = false;
                from.awaitReadable();
            }
        }
    }

    private void openPipe(long copied) {
        if (pipe.isPresent() || copied < BUSY_BYTES || !spare.getAsBoolean()) {
            return; // tried again after the next step
        }
        try {
            Pipe opened = PipeCalls.pipe();
            boolean _ =
                    PipeCalls.enlarge(opened.writeEnd().number(), PIPE_BYTES); // false: it stays smaller, and slower
            pipe = Optional.of(opened);
        } catch (LinuxException e) {
            // No descriptor is free, so it goes on without a pipe.
        }
    }

    /** Copies bytes through a buffer. Returns their number, 0 at the end, -1 if nothing is there. */
    private int move() {
        try (Buffers.Lease lease = buffers.borrow()) {
            int count = from.tryRead(lease.segment());
            int written = 0;
            while (written < count) {
                written += to.write(lease.segment().asSlice(written, count - written));
            }
            return count;
        }
    }

    /** Moves pages with splice(2) instead of copying bytes. Returns the same as {@link #move()}. */
    private long splice(Pipe through) {
        long count = from.use(fd -> PipeCalls.splice(fd, through.writeEnd().number(), SPLICE_BYTES));
        long left = count;
        while (left > 0) {
            long wanted = left;
            long moved = to.use(fd -> PipeCalls.splice(through.readEnd().number(), fd, wanted));
            if (moved < 0) {
                boolean _ = to.awaitWritable(LONG_TIME); // the next attempt finds out
            } else {
                left -= moved;
            }
        }
        return count;
    }

    @Override
    public void close() {
        pipe.ifPresent(Pipe::close);
    }
}
