package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.NotifyCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes a line to the standard error of a task, unless that is a network socket. The line is short enough for one write that cannot stop half way once there
 * is room; where no room comes, the line is dropped rather than the worker held. Platform threads.
 */
final class ErrorLine {
    private static final System.Logger LOG = System.getLogger(ErrorLine.class.getName());
    private static final int STDERR = 2;
    /** PIPE_BUF of pipe(7). */
    private static final int MAX_BYTES = 4096;

    private static final long LIMIT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private ErrorLine() {}

    static void write(int process, String message) {
        if (message.isEmpty()) {
            return;
        }
        try (TaskDescriptors theirs = new TaskDescriptors(process, process)) {
            Optional<Fd> stream = theirs.copy(STDERR);
            if (stream.isPresent()) {
                try (Fd fd = stream.get()) {
                    write(fd, message);
                }
            }
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.DEBUG, "a task was not told why its exec was denied", e);
        }
    }

    private static void write(Fd fd, String message) {
        byte[] text = (message + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] line = text.length <= MAX_BYTES ? text : Arrays.copyOf(text, MAX_BYTES);
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!NotifyCalls.writable(fd.number())) {
            if (System.nanoTime() > deadline) {
                return;
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        int _ = ContentCalls.appendSome(fd, line, 0, line.length);
    }
}
