package dev.execserver.server.access;

import dev.execserver.server.concurrent.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access log with a thread of its own, so that no request waits for a disk or for the reader of standard error. The
 * queue is bounded in bytes. Events that do not fit, or cannot be written, are counted; the count is an event itself as
 * soon as there is room, and a warning of the server's log.
 *
 * <p>Threads: any thread queues, {@code access-log} writes. No locks.
 */
public final class QueuedAccessLog implements AccessLog, AutoCloseable {
    /** Bytes of events that wait for the writing thread. */
    static final long MAX_QUEUED_BYTES = 8L << 20;

    /** Events that are written at once at most. */
    private static final int BATCH = 256;

    /** Time that the last events have at the end. */
    private static final Duration LAST_EVENTS = Duration.ofSeconds(2);

    /** Least time between two warnings about lost events. */
    private static final long WARNING_NANOS = Duration.ofMinutes(1).toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(QueuedAccessLog.class);

    private final Queue<AccessEvent> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final LineFormat format;
    private final LineSink sink;
    private final ArgumentStyle arguments;
    private final Thread writer;
    private volatile boolean closing;
    /** Writing thread only. */
    private long nextWarningNanos = System.nanoTime();

    QueuedAccessLog(LineFormat format, LineSink sink, ArgumentStyle arguments) {
        this.format = format;
        this.sink = sink;
        this.arguments = arguments;
        this.writer = Threads.daemon("access-log", this::run);
    }

    @Override
    public boolean on() {
        return true;
    }

    @Override
    public ArgumentStyle arguments() {
        return arguments;
    }

    @Override
    public void write(AccessEvent event) {
        if (queuedBytes.addAndGet(event.bytes()) > MAX_QUEUED_BYTES) {
            queuedBytes.addAndGet(-event.bytes());
            lost.incrementAndGet();
            return;
        }
        queue.add(event);
        if (waiting.get() && waiting.compareAndSet(true, false)) {
            LockSupport.unpark(writer);
        }
    }

    private void run() {
        List<AccessEvent> batch = new ArrayList<>(BATCH);
        while (true) {
            take(batch);
            if (batch.isEmpty()) {
                if (closing && queue.isEmpty()) {
                    return;
                }
                await();
                continue;
            }
            boolean written = writeAll(batch);
            batch.clear();
            if (!written && closing && queue.isEmpty()) {
                return;
            }
        }
    }

    private void await() {
        waiting.set(true);
        if (queue.isEmpty() && !closing) {
            LockSupport.park(this);
        }
        waiting.set(false);
    }

    private void take(List<AccessEvent> batch) {
        AccessEvent next;
        while (batch.size() < BATCH && (next = queue.poll()) != null) {
            batch.add(next);
        }
        long missing = lost.getAndSet(0);
        if (missing > 0) {
            warn(missing, "the log cannot keep up");
            batch.add(AccessEvent.of(AccessKind.EVENTS_LOST)
                    .put(AccessField.COUNT, missing)
                    .warning());
        }
    }

    /** Returns false if the lines could not be written. */
    private boolean writeAll(List<AccessEvent> batch) {
        StringBuilder lines = new StringBuilder(BATCH * 64);
        for (AccessEvent event : batch) {
            lines.append(sink.prefix(event))
                    .append(format.line(event, !sink.timesLines()))
                    .append('\n');
        }
        try {
            sink.write(lines.toString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            long missing = countLost(batch);
            lost.addAndGet(missing);
            warn(missing, e.toString());
            pauseAfterFailure();
            return false;
        } finally {
            queuedBytes.addAndGet(-batch.stream()
                    .filter(QueuedAccessLog::wasQueued)
                    .mapToLong(AccessEvent::bytes)
                    .sum());
        }
    }

    /** A disk that is full stays full for a while. Ends early when the server ends. */
    private void pauseAfterFailure() {
        if (!closing) {
            LockSupport.parkNanos(this, Duration.ofMillis(200).toNanos());
        }
    }

    private static boolean wasQueued(AccessEvent event) {
        return event.kind() != AccessKind.EVENTS_LOST;
    }

    /** Returns the number of lost events that a batch stands for. */
    private static long countLost(List<AccessEvent> batch) {
        return batch.stream()
                .mapToLong(
                        event -> wasQueued(event) ? 1 : (Long) event.members().get(AccessField.COUNT))
                .sum();
    }

    private void warn(long missing, String why) {
        long now = System.nanoTime();
        if (now - nextWarningNanos >= 0) {
            nextWarningNanos = now + WARNING_NANOS;
            LOG.warn("{} events of the access log are lost: {}", missing, why);
        }
    }

    /** Waits a limited time until everything is written. */
    @Override
    public void close() throws IOException {
        closing = true;
        LockSupport.unpark(writer);
        try {
            writer.join(LAST_EVENTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long left = queue.size() + lost.get();
        if (left > 0) {
            LOG.warn("{} events of the access log are lost: the server ends", left);
        }
        if (!writer.isAlive()) {
            sink.close();
        }
    }
}
