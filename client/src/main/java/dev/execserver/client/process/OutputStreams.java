package dev.execserver.client.process;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Splits the events of a process into two streams. The thread that reads one stream takes events for both, one thread
 * at a time, so that no extra thread is needed. Output for the other stream is held for its reader, so that reading one
 * never waits for the other; what passes {@link StreamBacklog#MAX_BYTES} is given up. {@code lock} guards everything and
 * is not held while waiting for an event.
 */
final class OutputStreams {

    /** Limit of output that is taken ahead while nobody waits for it. */
    static final int MAX_AHEAD_BYTES = 512 << 10;

    /** Way in which the output is consumed. */
    enum Use {
        EVENTS,
        STREAMS,
        NOTHING
    }

    private final EventSequence events;
    private final boolean merged;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final StreamBacklog stdout = new StreamBacklog();
    private final StreamBacklog stderr = new StreamBacklog();
    private Optional<Use> use = Optional.empty();
    private boolean taking;

    /** @param merged true to put stderr into the stream of stdout */
    OutputStreams(EventSequence events, boolean merged) {
        this.events = events;
        this.merged = merged;
    }

    /** @throws IllegalStateException when the output is already consumed in another way */
    void consumeAs(Use wanted) {
        lock.lock();
        try {
            if (use.isPresent() && use.get() != wanted) {
                throw new IllegalStateException("the output of this process is consumed as " + use.get());
            }
            use = Optional.of(wanted);
        } finally {
            lock.unlock();
        }
    }

    InputStream stream(StreamKind kind) {
        consumeAs(Use.STREAMS);
        if (merged && kind == StreamKind.STDERR) {
            return InputStream.nullInputStream();
        }
        return kind == StreamKind.STDERR ? new Stream(stderr, stdout) : new Stream(stdout, stderr);
    }

    private int read(StreamBacklog own, byte[] target, int offset, int length) throws IOException {
        lock.lock();
        try {
            while (own.isEmpty()) {
                if (taking) {
                    changed.await();
                } else {
                    takeEvent();
                }
            }
            int count = own.read(target, offset, length);
            changed.signalAll();
            return count;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for output");
        } finally {
            lock.unlock();
        }
    }

    /** Takes events that have already come, without waiting. */
    private void takeReady(StreamBacklog own, StreamBacklog other) {
        while (!taking && own.cost() <= MAX_AHEAD_BYTES && other.cost() <= MAX_AHEAD_BYTES) {
            Optional<ProcessEvent> event = events.poll();
            if (event.isEmpty()) {
                return;
            }
            place(event.get());
            changed.signalAll();
        }
    }

    private void takeEvent() throws InterruptedException {
        taking = true;
        lock.unlock();
        Optional<ProcessEvent> event = Optional.empty();
        try {
            event = events.take();
        } finally {
            lock.lock();
            taking = false;
            changed.signalAll();
        }
        event.ifPresentOrElse(this::place, () -> place(new ProcessEvent.Closed(Optional.empty())));
    }

    private void place(ProcessEvent event) {
        switch (event) {
            case ProcessEvent.Output output -> {
                OutputChunk chunk = output.chunk();
                (chunk.stream() == StreamKind.STDERR && !merged ? stderr : stdout).add(chunk);
            }
            case ProcessEvent.Gap gap -> {
                stdout.add(gap);
                stderr.add(gap);
            }
            case ProcessEvent.Exited unused -> {}
            case ProcessEvent.Closed unused -> {
                stdout.end(Optional.empty());
                stderr.end(Optional.empty());
            }
            case ProcessEvent.Lost lost -> {
                stdout.end(Optional.of(lost.reason()));
                stderr.end(Optional.of(lost.reason()));
            }
        }
    }

    private final class Stream extends InputStream {
        private final StreamBacklog own;
        private final StreamBacklog other;

        Stream(StreamBacklog own, StreamBacklog other) {
            this.own = own;
            this.other = other;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            java.util.Objects.checkFromIndexSize(offset, length, target.length);
            return length == 0 ? 0 : OutputStreams.this.read(own, target, offset, length);
        }

        /** Returns the bytes that can be read without waiting; 0 after the end. */
        @Override
        public int available() {
            lock.lock();
            try {
                takeReady(own, other);
                return own.bytes();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                own.discard();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
