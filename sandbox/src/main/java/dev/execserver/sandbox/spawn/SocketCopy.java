package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.PipeCalls.Pipe;
import dev.execserver.sandbox.linux.TcpCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One direction of a relay between two sockets: reads no more before what it has read is written, so that a slow receiver
 * holds its sender, and hands the end on. A native buffer is borrowed only while bytes move; a connection that turns out to
 * be busy gets a pipe, through which splice(2) moves the pages themselves. Runs on one virtual thread, which parks.
 */
public final class SocketCopy implements AutoCloseable {
    /** Bytes after which a pipe pays, which is two descriptors and some pages of the kernel's. */
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
     * Copies until the end of the stream, and then says to the receiver that no more will come.
     *
     * @param spare whether descriptors are left for a pipe
     * @param watcher told on this thread of the bytes of each step, when they are written
     * @return bytes copied
     * @throws LinuxException when one of the peers is gone
     * @throws ClosedException when one of the sockets was closed here
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
            return; // asked again after the next step
        }
        try {
            Pipe opened = PipeCalls.pipe();
            boolean _ =
                    PipeCalls.enlarge(opened.writeEnd().number(), PIPE_BYTES); // false: it stays smaller, and slower
            pipe = Optional.of(opened);
        } catch (LinuxException e) {
            // No descriptor to spare: it goes on as before.
        }
    }

    /** Bytes moved, 0 at the end, -1 when nothing is there. */
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

    /** The same, by reference. */
    private long splice(Pipe through) {
        long count = from.use(fd -> PipeCalls.splice(fd, through.writeEnd().number(), SPLICE_BYTES));
        long left = count;
        while (left > 0) {
            long wanted = left;
            long moved = to.use(fd -> PipeCalls.splice(through.readEnd().number(), fd, wanted));
            if (moved < 0) {
                boolean _ = to.awaitWritable(LONG_TIME); // the next attempt tells
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
