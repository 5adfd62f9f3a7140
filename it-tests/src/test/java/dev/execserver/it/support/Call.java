package dev.execserver.it.support;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A request that was sent, with its future answer. */
public final class Call {
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final String what;
    private final long sentNanos = System.nanoTime();
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    Call(String what) {
        this.what = what;
    }

    void complete(Answer value) {
        answer.complete(value);
    }

    void fail(Throwable cause) {
        answer.completeExceptionally(cause);
    }

    public boolean answered() {
        return answer.isDone() && !answer.isCompletedExceptionally();
    }

    public Answer answer() {
        return answer(LIMIT);
    }

    public Answer answer(Duration limit) {
        return get(answer, limit, "answer to " + what);
    }

    public JsonNode result() {
        return answer().result();
    }

    /** Returns the time between sending and the answer. */
    public Duration took() {
        return Duration.ofNanos(answer().nanos() - sentNanos);
    }

    static <T> T get(CompletableFuture<T> future, Duration limit, String what) {
        try {
            return future.get(limit.toMillis(), MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no " + what + " within " + limit, e);
        } catch (ExecutionException e) {
            throw new AssertionError("no " + what + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }
}
