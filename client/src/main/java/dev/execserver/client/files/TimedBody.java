package dev.execserver.client.files;

import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Response body as a stream whose reads have a time limit; a read of the JDK's own stream waits for ever. One part is
 * requested at a time. The JDK's threads add parts, one thread reads.
 */
final class TimedBody extends InputStream implements BodySubscriber<InputStream> {

    /** Some bytes, or the end with its failure. */
    private record Part(List<ByteBuffer> bytes, boolean last, Optional<Throwable> failure) {}

    private final Duration limit;
    private final LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private Part current = new Part(List.of(), false, Optional.empty());
    private int buffer;

    /** @param limit time limit of each read */
    TimedBody(Duration limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription.complete(given);
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        parts.add(new Part(bytes, false, Optional.empty()));
    }

    @Override
    public void onError(Throwable failure) {
        parts.add(new Part(List.of(), true, Optional.of(failure)));
    }

    @Override
    public void onComplete() {
        parts.add(new Part(List.of(), true, Optional.empty()));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        while (true) {
            for (; buffer < current.bytes().size(); buffer++) {
                ByteBuffer bytes = current.bytes().get(buffer);
                if (bytes.hasRemaining()) {
                    int count = Math.min(length, bytes.remaining());
                    bytes.get(to, offset, count);
                    return count;
                }
            }
            if (current.last()) {
                return end();
            }
            current = next();
            buffer = 0;
        }
    }

    private int end() throws IOException {
        if (current.failure().isPresent()) {
            Throwable failure = current.failure().get();
            throw new IOException(VisibleText.oneLine(String.valueOf(failure.getMessage())), failure);
        }
        return -1;
    }

    private Part next() throws IOException {
        try {
            Part next = parts.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (next == null) {
                close();
                throw new TransferStalledException(limit);
            }
            subscription.thenAccept(given -> given.request(1));
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the body");
        }
    }

    /** Ends the connection if the body is not complete. */
    @Override
    public void close() {
        subscription.thenAccept(Flow.Subscription::cancel);
        parts.add(new Part(List.of(), true, Optional.of(new IOException("the stream is closed"))));
    }
}
