package dev.execserver.server.transport;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes lines from the thread that reads a stream to the connection's reader. Above {@link #MAX_BYTES}, the memory
 * overhead of each line included, the stream is not read.
 *
 * <p>Threads: one fills, one takes, any closes. {@code lock} guards all fields and is never held during I/O.
 */
final class LineQueue {
    static final int MAX_BYTES = 1024 * 1024;

    /** Overhead of a line: two objects with their headers, the place in the queue and padding. */
    static final int ENTRY_BYTES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Entry> lines = new ArrayDeque<>();
    private int bytes;
    private boolean closed;
    private boolean ended;
    private IOException failure;
    private volatile long lastInboundNanos = System.nanoTime();

    /** Entry of the queue: a line, or the error of a line that was skipped. */
    private sealed interface Entry {
        record Line(byte[] bytes) implements Entry {
            @Override
            public int held() {
                return ENTRY_BYTES + bytes.length;
            }
        }

        record Skipped(MessageTooLargeException why) implements Entry {
            @Override
            public int held() {
                return ENTRY_BYTES;
            }
        }

        /** Returns the bytes that the entry occupies. */
        int held();
    }

    /** Reads lines until the stream ends or the queue is closed. */
    void fill(LineReader reader) {
        try {
            Optional<Entry> next;
            do {
                next = next(reader);
                lastInboundNanos = System.nanoTime();
            } while (next.isPresent() && put(next.get()));
            end(null);
        } catch (IOException e) {
            end(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(new IOException("reader was interrupted", e));
        }
    }

    private static Optional<Entry> next(LineReader reader) throws IOException {
        try {
            return reader.next().map(Entry.Line::new);
        } catch (MessageTooLargeException e) {
            return Optional.of(new Entry.Skipped(e));
        }
    }

    /**
     * Returns the next line; empty once the stream has ended or the queue was closed.
     *
     * @throws MessageTooLargeException in the place of a line that was skipped
     */
    Optional<byte[]> take() throws IOException {
        lock.lock();
        try {
            while (lines.isEmpty() && !ended && !closed) {
                changed.await();
            }
            if (closed) {
                return Optional.empty();
            }
            if (lines.isEmpty()) {
                if (failure != null) {
                    throw failure;
                }
                return Optional.empty();
            }
            changed.signalAll();
            Entry next = lines.remove();
            bytes -= next.held();
            return switch (next) {
                case Entry.Line(byte[] line) -> Optional.of(line);
                case Entry.Skipped(MessageTooLargeException why) -> throw why;
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading", e);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            lines.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long lastInboundNanos() {
        return lastInboundNanos;
    }

    /** Returns false if the queue is closed, so that no more lines are needed. */
    private boolean put(Entry entry) throws InterruptedException {
        lock.lock();
        try {
            while (bytes > MAX_BYTES && !closed) {
                changed.await();
            }
            lines.add(entry);
            bytes += entry.held();
            changed.signalAll();
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void end(IOException cause) {
        lock.lock();
        try {
            ended = true;
            failure = cause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
