package dev.execserver.server.net;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Body of one response, as bytes that a thread waits for. Requests only a few pieces ahead from the JDK's client, so
 * that a slow reader stops the peer.
 *
 * <p>Threads of the JDK's client deliver, one thread reads, any thread may cancel. {@code lock} guards the fields.
 */
public final class ResponseBody implements BodySubscriber<ResponseBody> {

    /** Pieces of at most 16 KiB that the JDK's client may deliver before a thread reads. */
    private static final int AHEAD = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ByteBuffer> pieces = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> lastOfDelivery = new ArrayDeque<>();
    private Optional<Flow.Subscription> subscription = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();
    private boolean ended;
    private boolean cancelled;

    /** Returns this object at once: the response is used as soon as its header has arrived. */
    @Override
    public CompletionStage<ResponseBody> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        boolean unwanted;
        lock.lock();
        try {
            unwanted = cancelled;
            subscription = Optional.of(given);
        } finally {
            lock.unlock();
        }
        if (unwanted) {
            given.cancel();
        } else {
            given.request(AHEAD);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> delivery) {
        lock.lock();
        try {
            List<ByteBuffer> filled =
                    delivery.stream().filter(ByteBuffer::hasRemaining).toList();
            if (!cancelled && !filled.isEmpty()) {
                pieces.addAll(filled);
                lastOfDelivery.add(filled.getLast());
                changed.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        askForMore(1);
    }

    @Override
    public void onError(Throwable thrown) {
        finish(Optional.of(thrown));
    }

    @Override
    public void onComplete() {
        finish(Optional.empty());
    }

    private void finish(Optional<Throwable> how) {
        lock.lock();
        try {
            if (ended) {
                return; // several parts of the JDK's client report the end
            }
            ended = true;
            failure = how;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the next bytes. Takes as many as are there and fit.
     *
     * @return the number of bytes, -1 at the end
     * @throws IOException if the body broke or was cancelled
     * @throws HttpTimeoutException at the deadline
     */
    int read(byte[] into, Deadline deadline) throws IOException, InterruptedException {
        int count = 0;
        int used = 0;
        lock.lock();
        try {
            awaitPiece(deadline);
            if (pieces.isEmpty()) {
                return -1;
            }
            while (count < into.length && !pieces.isEmpty()) {
                ByteBuffer piece = pieces.peek();
                int step = Math.min(piece.remaining(), into.length - count);
                piece.get(into, count, step);
                count += step;
                if (!piece.hasRemaining()) {
                    pieces.remove();
                    if (lastOfDelivery.peek() == piece) {
                        lastOfDelivery.remove();
                        used++;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        askForMore(used);
        return count;
    }

    private void awaitPiece(Deadline deadline) throws IOException, InterruptedException {
        while (pieces.isEmpty() && !ended && !cancelled) {
            long left = deadline.leftNanos();
            if (left == 0) {
                throw new HttpTimeoutException("the body did not end in time");
            }
            long unused = changed.awaitNanos(left);
        }
        if (cancelled) {
            throw new IOException("cancelled");
        }
        if (pieces.isEmpty() && failure.isPresent()) {
            throw new IOException(failure.get());
        }
    }

    private void askForMore(int deliveries) {
        Optional<Flow.Subscription> source;
        lock.lock();
        try {
            source = deliveries == 0 || cancelled || ended ? Optional.empty() : subscription;
        } finally {
            lock.unlock();
        }
        source.ifPresent(present -> present.request(deliveries));
    }

    /** Drops the rest of the body, and closes the connection unless the body had ended. May be called again. */
    public void cancel() {
        Optional<Flow.Subscription> source;
        lock.lock();
        try {
            source = cancelled || ended ? Optional.empty() : subscription;
            cancelled = true;
            pieces.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        source.ifPresent(Flow.Subscription::cancel);
    }
}
