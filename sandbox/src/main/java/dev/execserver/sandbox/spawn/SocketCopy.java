package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.TcpCalls;
import java.lang.foreign.MemorySegment;

/**
 * One direction of a relay between two sockets: reads only what could be written, so that a slow receiver holds its sender,
 * and hands the end on. A native buffer is borrowed only while bytes move. Runs on one virtual thread, which parks.
 */
public final class SocketCopy {
    private SocketCopy() {}

    /**
     * Copies until the end of the stream, and then says to the receiver that no more will come.
     *
     * @return bytes copied
     * @throws dev.execserver.sandbox.linux.LinuxException when one of the peers is gone
     * @throws ClosedException when one of the sockets was closed here
     */
    public static long copy(AsyncFd from, AsyncFd to, Buffers buffers) {
        long copied = 0;
        while (true) {
            int count = move(from, to, buffers);
            if (count == 0) {
                to.use(TcpCalls::shutdownWrite);
                return copied;
            }
            if (count < 0) {
                from.awaitReadable();
            } else {
                copied += count;
            }
        }
    }

    /** Bytes moved, 0 at the end, -1 when nothing is there. */
    private static int move(AsyncFd from, AsyncFd to, Buffers buffers) {
        try (Buffers.Lease lease = buffers.borrow()) {
            int count = from.tryRead(lease.segment());
            int written = 0;
            while (written < count) {
                MemorySegment rest = lease.segment().asSlice(written, count - written);
                written += to.write(rest);
            }
            return count;
        }
    }
}
