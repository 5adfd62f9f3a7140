package dev.execserver.client.files;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Wraps a request body and records when the JDK's client last took a part of it. Any thread. */
final class ProgressBody implements BodyPublisher {

    private final BodyPublisher body;
    private volatile long movedNanos = System.nanoTime();

    ProgressBody(BodyPublisher body) {
        this.body = body;
    }

    /** Returns the time since a part was taken, or since this object was made. */
    long stillNanos() {
        return System.nanoTime() - movedNanos;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        body.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer part) {
                movedNanos = System.nanoTime();
                subscriber.onNext(part);
            }

            @Override
            public void onError(Throwable failure) {
                subscriber.onError(failure);
            }

            @Override
            public void onComplete() {
                movedNanos = System.nanoTime();
                subscriber.onComplete();
            }
        });
    }
}
