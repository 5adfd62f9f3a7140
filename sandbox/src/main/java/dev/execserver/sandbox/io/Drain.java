package dev.execserver.sandbox.io;

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

/**
 * Reads small amounts of bytes or text from a descriptor, without native memory in the caller. Virtual threads park.
 * Stateless.
 */
public final class Drain {
    private static final int STEP = 4096;
    private static final Duration LOOK = Duration.ofMillis(200);

    private Drain() {}

    /** The way in which the peer closed a socket. */
    public enum End {
        /** The peer had read everything. */
        ORDERLY,
        /** The peer left something unread. */
        RESET,
        /** The peer did not close it within the limit. */
        NOT_YET
    }

    /** Waits for the end of a socket on which the peer sends nothing. */
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

    /** Returns the bytes that can be read now, as text. */
    public static String available(AsyncFd fd, int maxBytes) {
        return text(fd, maxBytes, 0);
    }

    /** Returns the bytes until the end of the stream or until the time is up, as text. */
    public static String untilEnd(AsyncFd fd, int maxBytes, Duration limit) {
        return text(fd, maxBytes, limit.toNanos());
    }

    /** Returns the same bytes as {@link #untilEnd}, without decoding. */
    public static byte[] bytesUntilEnd(AsyncFd fd, int maxBytes, Duration limit) {
        return bytes(fd, maxBytes, limit.toNanos());
    }

    /**
     * Returns the bytes until the end of the stream or until the time is up.
     *
     * @param whileWaiting called several times a second; its exception ends the wait
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
     * Receives descriptors over a Unix socket, one in each message. Returns fewer than asked for if the stream ends or the
     * time is up. The caller closes them.
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
