package dev.execserver.server.app;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.session.Attachment;
import dev.execserver.server.session.Session;
import dev.execserver.server.session.Unasked;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Client of one HTTP request, as the session of its command sees it. It cannot be asked anything. Any thread. */
final class HttpClientSession implements Attachment {

    /** Time that a stopping server gives an answer to be sent. */
    private static final long LAST_ANSWER_MS = 2000;

    private final Optional<Subject> subject;
    private final CountDownLatch answered = new CountDownLatch(1);

    HttpClientSession(Optional<Subject> subject) {
        this.subject = subject;
    }

    /** Ends the session and kills what is left of its command. */
    void lost(Session session) {
        session.connectionLost(this);
    }

    /** Notes that the answer was sent, or that nobody takes it. */
    void answered() {
        answered.countDown();
    }

    @Override
    public Optional<Subject> subject() {
        return subject;
    }

    /** The server itself reads the output of these commands. */
    @Override
    public Outbound outbound() {
        throw new IllegalStateException("nothing is pushed to an HTTP client");
    }

    @Override
    public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
        return CompletableFuture.failedFuture(Unasked.because("an HTTP client cannot be asked"));
    }

    /** The session belongs to one request alone, so nobody asks. */
    @Override
    public boolean provesAlive(Duration limit) {
        return true;
    }

    @Override
    public void awaitLastAnswers() {
        try {
            boolean _ = answered.await(LAST_ANSWER_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void displaced() {
        // the session's id is given to nobody
    }
}
