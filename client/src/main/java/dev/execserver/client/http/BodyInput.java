package dev.execserver.client.http;

import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes of a streamed body. The reader thread of the connection adds pieces and never waits, so unread bytes are
 * bounded: above the bound the body fails. {@code lock} guards the fields.
 */
final class BodyInput extends InputStream {

    /** Limit of unread bytes. */
    static final long MAX_WAITING_BYTES = 64L << 20;

    /** Overhead that is counted for each piece, so that short pieces do not take many times their bytes. */
    static final int PIECE_BYTES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private final Runnable cancel;
    private Optional<String> failure = Optional.empty();
    private long waiting;
    private int used;
    private boolean ended;
    private boolean closed;

    /** @param cancel tells the server that the rest is not needed; must not wait */
    BodyInput(Runnable cancel) {
        this.cancel = cancel;
    }

    void add(byte[] piece) {
        boolean tooMuch;
        lock.lock();
        try {
            if (closed || ended || piece.length == 0) {
                return;
            }
            tooMuch = waiting + piece.length + (pieces.size() + 1L) * PIECE_BYTES > MAX_WAITING_BYTES;
            if (tooMuch) {
                failure = Optional.of("more than " + MAX_WAITING_BYTES + " bytes of the body wait to be read");
                ended = true;
            } else {
                pieces.add(piece);
                waiting += piece.length;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (tooMuch) {
            cancel.run();
        }
    }

    void end(Optional<String> why) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = why;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            while (pieces.isEmpty() && !ended && !closed) {
                changed.await();
            }
            if (closed) {
                throw new IOException("stream closed");
            }
            return pieces.isEmpty() ? atEnd() : take(target, offset, length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the body");
        } finally {
            lock.unlock();
        }
    }

    private int atEnd() throws IOException {
        if (failure.isPresent()) {
            throw new IOException(VisibleText.oneLine(failure.get()));
        }
        return -1;
    }

    private int take(byte[] target, int offset, int length) {
        byte[] piece = pieces.element();
        int count = Math.min(length, piece.length - used);
        System.arraycopy(piece, used, target, offset, count);
        used += count;
        waiting -= count;
        if (used == piece.length) {
            pieces.remove();
            used = 0;
        }
        return count;
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return (int) waiting;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        boolean unfinished;
        lock.lock();
        try {
            unfinished = !closed && !ended;
            closed = true;
            pieces.clear();
            waiting = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (unfinished) {
            cancel.run();
        }
    }
}
