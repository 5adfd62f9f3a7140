package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Outgoing messages of one connection: queued answers, limited in bytes, and events that are pulled from
 * {@link PushSource}s. Answers leave before events. An answer always leaves before the events of sources that became
 * ready later.
 *
 * <p>One thread writes at a time. A producer that finds the connection free writes up to two batches itself, which
 * saves a switch of threads. Otherwise the writing thread or the connection's writer thread takes its message along.
 *
 * <p>{@code lock} guards the queues and is never held while writing. Callers of {@link #send} and {@link #schedule} are
 * virtual threads and may wait for the socket; {@link #offer} never waits.
 */
public final class Outbound {

    /** Bytes of queued answers from which on {@link #send} waits and {@link #offer} fails. */
    public static final long MAX_QUEUED_BYTES = 16 * 1024 * 1024L;

    /** Bytes after which a batch is complete. */
    private static final int BATCH_BYTES = 64 * 1024;

    /** Largest number of answers in a batch, and of events. */
    private static final int BATCH_MESSAGES = 256;

    /** Largest number of batches that one producer writes. The second takes later messages, the writer thread the rest. */
    private static final int INLINE_BATCHES = 2;

    private static final long NO_WRITE = Long.MAX_VALUE;

    private static final Runnable NOTHING = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition space = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final ArrayDeque<QueuedAnswer> answers = new ArrayDeque<>();
    /** Sources with events. The number counts the answers that were queued earlier and must leave first. */
    private final LinkedHashMap<PushSource, Long> ready = new LinkedHashMap<>();

    private final Transport transport;
    private final BufferPool pool;
    private long queuedBytes;
    private long answersQueued;
    private long answersTaken;
    private boolean writing;
    private boolean closed;
    /** Start of the current write; {@link #NO_WRITE} if there is none. */
    private volatile long writeStartedNanos = NO_WRITE;

    public Outbound(Transport transport, BufferPool pool) {
        this.transport = transport;
        this.pool = pool;
    }

    /**
     * Queues an answer. Waits while too much is queued. Silently drops the answer if the connection is closed.
     *
     * @param memory memory of the request; released when the answer was written or dropped
     * @param gone runs when the answer was written or dropped; must not wait
     */
    public void send(MessageBuffer message, AnswerMemory memory, Runnable gone) {
        memory.keepOnly(message.capacity());
        QueuedAnswer answer = new QueuedAnswer(message, memory, gone);
        boolean queued = false;
        lock.lock();
        try {
            while (!closed && queuedBytes >= MAX_QUEUED_BYTES) {
                space.awaitUninterruptibly();
            }
            queued = enqueue(answer);
            if (queued) {
                if (writing) {
                    return;
                }
                writing = true;
            }
        } finally {
            lock.unlock();
        }
        if (queued) {
            writeInline();
        } else {
            answer.release();
        }
    }

    /** Queues an answer as above, without a callback. */
    public void send(MessageBuffer message, AnswerMemory memory) {
        send(message, memory, NOTHING);
    }

    /**
     * Queues an answer without waiting.
     *
     * @param memory memory of the answer; released when the answer was written or dropped
     * @param gone runs when the answer was written or dropped; must not wait
     * @return false, without any effect, if too much is queued or the connection is closed
     */
    public boolean offer(MessageBuffer message, AnswerMemory memory, Runnable gone) {
        lock.lock();
        try {
            if (queuedBytes >= MAX_QUEUED_BYTES || !enqueue(new QueuedAnswer(message, memory, gone))) {
                return false;
            }
            if (!writing) {
                work.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Queues a message as above. The message is too small to be counted. */
    public boolean offer(MessageBuffer message, Runnable gone) {
        return offer(message, AnswerMemory.none(), gone);
    }

    private boolean enqueue(QueuedAnswer answer) {
        if (!closed) {
            answers.add(answer);
            queuedBytes += answer.bytes();
            answersQueued++;
        }
        return !closed;
    }

    /** Returns true if an answer would leave at once: no thread writes and nothing is queued. */
    public boolean idle() {
        lock.lock();
        try {
            return !writing && !pending();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if answers wait and the peer has taken no bytes for longer than the limit. */
    public boolean stalled(Duration limit) {
        long started = writeStartedNanos;
        if (started == NO_WRITE
                || System.nanoTime() - Math.max(started, transport.lastOutboundNanos()) <= limit.toNanos()) {
            return false;
        }
        lock.lock();
        try {
            return queuedBytes > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Announces a source that will be scheduled. A thread that writes before then takes its events along. Never waits. */
    public void announce(PushSource source) {
        lock.lock();
        try {
            if (!closed) {
                ready.putIfAbsent(source, answersQueued);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Announces that the source has events, and writes them unless another thread is writing. */
    public void schedule(PushSource source) {
        lock.lock();
        try {
            announce(source);
            if (closed || writing) {
                return;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        writeInline();
    }

    /** Waits until all queued answers were written. Returns false at the limit or if the thread is interrupted. */
    public boolean awaitDrained(Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!closed && (writing || !answers.isEmpty()) && left > 0) {
                left = drained.awaitNanos(left);
            }
            return answers.isEmpty() && !writing;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Body of the connection's writer thread. Returns when the connection is closed. */
    public void runWriter() {
        while (acquire()) {
            writeInline();
        }
    }

    private boolean acquire() {
        lock.lock();
        try {
            while (!closed && (writing || !pending())) {
                work.awaitUninterruptibly();
            }
            writing = !closed;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean pending() {
        return !answers.isEmpty() || !ready.isEmpty();
    }

    /** Writes a batch, and a second one if more is queued. The caller has set {@code writing}. */
    private void writeInline() {
        int left = INLINE_BATCHES;
        boolean more = true;
        while (more) {
            left--;
            boolean written = false;
            try {
                written = writeBatch();
            } finally {
                more = goOn(written, left > 0);
            }
        }
    }

    /** Ends the caller's turn to write, unless more is queued and the caller may write on. Returns true if it may. */
    private boolean goOn(boolean written, boolean mayGoOn) {
        lock.lock();
        try {
            boolean more = written && !closed && pending();
            if (more && mayGoOn) {
                return true;
            }
            writing = false;
            if (more) {
                work.signal();
            }
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        if (!written) {
            close();
            // A batch may be half written, so the connection ends: the reader notices, and the session is detached.
            transport.close(CloseReason.INTERNAL_ERROR);
        }
        return false;
    }

    private boolean writeBatch() {
        List<QueuedAnswer> taken = takeAnswers();
        List<MessageBuffer> batch = new ArrayList<>();
        List<MessageBuffer> borrowed = new ArrayList<>();
        List<PushSource> pulled = new ArrayList<>();
        long answerBytes = 0;
        long answersHeld = 0;
        for (QueuedAnswer answer : taken) {
            batch.add(answer.message());
            answerBytes += answer.message().length();
            answersHeld += answer.bytes();
        }
        pullEvents(batch, borrowed, pulled, (int) Math.min(answerBytes, BATCH_BYTES - 1));
        try {
            if (!batch.isEmpty()) {
                writeStartedNanos = System.nanoTime();
                transport.write(batch, batch.size());
            }
        } catch (IOException gone) {
            return false; // the reader notices too and ends the connection
        } finally {
            writeStartedNanos = NO_WRITE;
            taken.forEach(QueuedAnswer::release);
        }
        pulled.forEach(PushSource::written);
        borrowed.forEach(pool::giveBack);
        if (answersHeld > 0) {
            written(answersHeld);
        }
        return true;
    }

    private List<QueuedAnswer> takeAnswers() {
        List<QueuedAnswer> taken = new ArrayList<>();
        long bytes = 0;
        lock.lock();
        try {
            while (!answers.isEmpty() && bytes < BATCH_BYTES && taken.size() < BATCH_MESSAGES) {
                QueuedAnswer answer = answers.poll();
                answersTaken++;
                bytes += answer.message().length();
                taken.add(answer);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void pullEvents(
            List<MessageBuffer> batch, List<MessageBuffer> borrowed, List<PushSource> pulled, int bytesBefore) {
        int bytes = bytesBefore;
        while (bytes < BATCH_BYTES && borrowed.size() < BATCH_MESSAGES) {
            PushSource source = pollReady();
            if (source == null) {
                return;
            }
            pulled.add(source);
            boolean more = true;
            while (more && bytes < BATCH_BYTES && borrowed.size() < BATCH_MESSAGES) {
                MessageBuffer buffer = pool.borrow();
                more = source.encodeNext(buffer);
                if (more) {
                    borrowed.add(buffer);
                    batch.add(buffer);
                    bytes += buffer.length();
                } else {
                    pool.giveBack(buffer);
                }
            }
            if (more) {
                putBack(source);
            }
        }
    }

    private PushSource pollReady() {
        lock.lock();
        try {
            Map.Entry<PushSource, Long> first = ready.firstEntry();
            if (first == null || first.getValue() > answersTaken) {
                return null;
            }
            return ready.pollFirstEntry().getKey();
        } finally {
            lock.unlock();
        }
    }

    private void putBack(PushSource source) {
        lock.lock();
        try {
            ready.putIfAbsent(source, answersTaken);
        } finally {
            lock.unlock();
        }
    }

    private void written(long bytes) {
        lock.lock();
        try {
            queuedBytes -= bytes;
            space.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the writer thread and all waiting callers. Drops the queued answers. */
    public void close() {
        List<QueuedAnswer> dropped;
        lock.lock();
        try {
            closed = true;
            dropped = List.copyOf(answers);
            answers.clear();
            ready.clear();
            work.signalAll();
            space.signalAll();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        dropped.forEach(QueuedAnswer::release);
    }
}
