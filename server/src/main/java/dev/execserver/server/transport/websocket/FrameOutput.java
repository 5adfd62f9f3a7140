package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.MessageTooLargeException;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.codec.ByteSink;
import dev.execserver.server.transport.codec.FrameWriter;
import dev.execserver.server.transport.codec.Opcode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sending half of a connection. One thread at a time has the turn to write to the socket; no thread holds a lock while
 * it writes. Control frames are queued: the thread with the turn writes them between two frames. If no thread has the
 * turn, a short-lived virtual thread takes it. So {@link #pong}, {@link #ping} and {@link #close} never wait for the
 * socket.
 *
 * <p>Threads: data writers ({@link #write}), the reader (pong, close), the timer (ping), any thread (close).
 * {@code lock} guards the fields below it and is never held during I/O.
 */
final class FrameOutput {
    /** Size of the pieces in which data goes to the socket, so that progress towards a slow peer can be seen. */
    private static final int PIECE_BYTES = 128 * 1024;
    /**
     * Limit of queued control frames, against a flood of pings. RFC 6455 section 5.5.3 allows answering only the latest
     * ones.
     */
    private static final int MAX_CONTROLS = 64;

    private static final byte[] PING = FrameWriter.control(Opcode.PING, new byte[0]);

    private final ByteSink sink;
    private final Executor executor;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> controls = new ArrayDeque<>(2);
    private boolean busy;
    private boolean closing;
    private boolean closeSent;
    private boolean ended;

    /** Written under the lock, also read without it. */
    private volatile boolean controlsWaiting;

    private final long startedNanos = System.nanoTime();
    private volatile long progressNanos = startedNanos;

    /** @param executor writes control frames while no data is being written */
    FrameOutput(ByteSink sink, Executor executor) {
        this.sink = sink;
        this.executor = executor;
    }

    /** Sends data, see {@link Transport#write(List, int)}. */
    void write(List<MessageBuffer> batch, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (batch.get(i).length() > Transport.MAX_MESSAGE_BYTES) {
                throw new MessageTooLargeException(batch.get(i).length());
            }
        }
        takeTurn();
        boolean whole = false;
        try {
            DataFrames.write(batch, count, this::put, this::gap);
            whole = true;
        } catch (ClosedBetweenFramesException e) {
            whole = true;
            throw e;
        } finally {
            finishTurn(!whole);
        }
    }

    void pong(byte[] payload) {
        offer(FrameWriter.control(Opcode.PONG, payload), false);
    }

    void ping() {
        offer(PING, false);
    }

    /** Queues the last frame. Messages that were not begun are not sent any more. */
    void close(Optional<CloseReason> reason) {
        offer(reason.map(FrameWriter::close).orElseGet(() -> FrameWriter.control(Opcode.CLOSE, new byte[0])), true);
    }

    /** Ends the output because the socket is gone. Threads that wait for the turn get an exception. */
    void end() {
        lock.lock();
        try {
            markEnded();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the close frame was sent and no thread writes.
     *
     * @return false if that did not happen before {@code deadline}, a {@link System#nanoTime}
     */
    boolean awaitQuiet(long deadline) {
        lock.lock();
        try {
            while (busy || closing && !closeSent && !ended) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the {@link System#nanoTime} at which the kernel last took a piece. */
    long lastProgressNanos() {
        return progressNanos;
    }

    /** Returns true if a control frame waits behind a long frame whose bytes have moved after that time. */
    boolean heldUpButMoving(long nanos) {
        return controlsWaiting && progressNanos - nanos > 0;
    }

    /**
     * Returns the time at which the peer last took data before a waiting control frame; the start time if none waits.
     */
    long lastProgressWhileHeldUpNanos() {
        return controlsWaiting ? progressNanos : startedNanos;
    }

    private void offer(byte[] frame, boolean last) {
        lock.lock();
        try {
            if (ended || closing || frame == PING && controls.contains(PING)) {
                return;
            }
            if (controls.size() == MAX_CONTROLS) {
                controls.removeFirst();
            }
            controls.add(frame);
            controlsWaiting = true;
            if (last) {
                closing = true;
                changed.signalAll();
            }
            if (busy) {
                return;
            }
            busy = true;
        } finally {
            lock.unlock();
        }
        executor.execute(() -> finishTurn(false));
    }

    private void takeTurn() throws IOException {
        lock.lock();
        try {
            while (busy && !ended && !closing) {
                changed.await();
            }
            if (ended || closing) {
                throw new IOException("connection is closed");
            }
            busy = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting to write", e);
        } finally {
            lock.unlock();
        }
    }

    /** Writes the remaining control frames and gives the turn back. */
    private void finishTurn(boolean broken) {
        boolean failed = broken;
        while (!giveBack(failed)) {
            try {
                controlsUpToClose();
            } catch (IOException | RuntimeException e) {
                // nothing can be written any more; the reader finds the failure of the socket itself
                failed = true;
            }
        }
    }

    private boolean giveBack(boolean failed) {
        lock.lock();
        try {
            if (failed) {
                markEnded();
            }
            if (!controls.isEmpty()) {
                return false;
            }
            busy = false;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void markEnded() {
        ended = true;
        controls.clear();
        controlsWaiting = false;
        changed.signalAll();
    }

    private void gap() throws IOException {
        if (controlsWaiting && controlsUpToClose()) {
            throw new ClosedBetweenFramesException();
        }
    }

    /** Writes the waiting control frames. Returns true if the close frame was among them. */
    private boolean controlsUpToClose() throws IOException {
        boolean last = false;
        for (byte[] frame = nextControl(); frame != null; frame = nextControl()) {
            put(frame, 0, frame.length);
            last = (frame[0] & 0xF) == Opcode.CLOSE;
        }
        if (last) {
            markCloseSent();
        }
        return last;
    }

    /** Returns the next control frame, or null. */
    private byte[] nextControl() {
        lock.lock();
        try {
            byte[] next = controls.poll();
            controlsWaiting = !controls.isEmpty();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void markCloseSent() {
        lock.lock();
        try {
            closeSent = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void put(byte[] from, int offset, int length) throws IOException {
        for (int at = 0; at < length; at += PIECE_BYTES) {
            sink.write(from, offset + at, Math.min(PIECE_BYTES, length - at));
            progressNanos = System.nanoTime();
        }
    }

    /** Thrown when our close frame was sent, so that the data after it is not sent. */
    private static final class ClosedBetweenFramesException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedBetweenFramesException() {
            super("connection is closed");
        }
    }
}
