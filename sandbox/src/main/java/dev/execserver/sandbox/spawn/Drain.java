package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Small amounts read from a descriptor, for those who do not deal with native memory. Virtual threads park. Stateless. */
public final class Drain {
    private static final int STEP = 4096;
    private static final Duration LOOK = Duration.ofMillis(200);

    private Drain() {}

    /** How the other end of a socket was closed. */
    public enum End {
        /** With everything read. */
        ORDERLY,
        /** With something unread. */
        RESET,
        /** Not within the limit. */
        NOT_YET
    }

    /** Waits for the end of a socket that nothing is sent on. */
    public static End awaitEnd(AsyncFd socket, Duration limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1);
            long deadline = System.nanoTime() + limit.toNanos();
            while (true) {
                int count = socket.tryRead(buffer);
                if (count == 0) {
                    return End.ORDERLY;
                }
                if (count < 0 && !socket.awaitReadable(deadline - System.nanoTime())) {
                    return End.NOT_YET;
                }
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ECONNRESET) {
                throw e;
            }
            return End.RESET;
        }
    }

    /** What can be read now, as text. */
    public static String available(AsyncFd fd, int maxBytes) {
        return text(fd, maxBytes, 0);
    }

    /** What can be read until the end of the stream or until the time is up, as text. */
    public static String untilEnd(AsyncFd fd, int maxBytes, Duration limit) {
        return text(fd, maxBytes, limit.toNanos());
    }

    /** As {@link #untilEnd}, as it is. */
    public static byte[] bytesUntilEnd(AsyncFd fd, int maxBytes, Duration limit) {
        return bytes(fd, maxBytes, limit.toNanos());
    }

    /**
     * As above.
     *
     * @param whileWaiting called several times a second; what it throws ends the waiting
     */
    public static byte[] bytesUntilEnd(AsyncFd fd, int maxBytes, Duration limit, Runnable whileWaiting) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long deadline = System.nanoTime() + limit.toNanos();
        while (all.size() < maxBytes && System.nanoTime() - deadline < 0) {
            whileWaiting.run();
            if (fd.awaitReadable(Math.min(LOOK.toNanos(), deadline - System.nanoTime()))) {
                byte[] more = bytes(fd, maxBytes - all.size(), 0);
                if (more.length == 0) {
                    break;
                }
                all.writeBytes(more);
            }
        }
        return all.toByteArray();
    }

    /**
     * Open files that come over a Unix socket, one a message: as many as asked for, or fewer when the stream ends or the time
     * is up. They are the caller's.
     */
    public static List<Fd> descriptors(AsyncFd socket, int count, Duration limit) {
        List<Fd> received = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1);
            long deadline = System.nanoTime() + limit.toNanos();
            while (received.size() < count) {
                DescriptorPassing.Received message = socket.use(fd -> DescriptorPassing.receive(fd, buffer));
                message.descriptor().ifPresent(received::add);
                boolean more = message.count() != 0;
                if (!more || (message.count() < 0 && !socket.awaitReadable(deadline - System.nanoTime()))) {
                    break;
                }
            }
            return received;
        } catch (RuntimeException e) {
            received.forEach(Fd::close);
            throw e;
        }
    }

    private static String text(AsyncFd fd, int maxBytes, long nanos) {
        return new String(bytes(fd, maxBytes, nanos), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(AsyncFd fd, int maxBytes, long nanos) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(STEP);
            long deadline = System.nanoTime() + nanos;
            while (all.size() < maxBytes) {
                int count = fd.tryRead(buffer.asSlice(0, Math.min(STEP, maxBytes - all.size())));
                if (count == 0 || (count < 0 && (nanos == 0 || !fd.awaitReadable(deadline - System.nanoTime())))) {
                    break;
                }
                if (count > 0) {
                    all.writeBytes(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
                }
            }
        }
        return all.toByteArray();
    }
}
