package dev.execserver.it.support;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A request that was sent, with its future answer. */
public final class Call {
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final String what;
    private final long sentNanos = System.nanoTime();
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    private final JsonNode request;
    private final boolean compared;

    Call(JsonNode request) {
        this(request, true);
    }

    /** @param compared false for an answer that need not be as the schema says */
    Call(JsonNode request, boolean compared) {
        this.request = request;
        this.compared = compared;
        this.what = request.path("method").asText();
    }

    /** Ends the wait. Fails if the request or its answer is not as the schema says. */
    void complete(Answer value, JsonNode message) {
        List<String> problems = compared ? MessageSchema.EXEC.exchange(request, message) : List.of();
        if (problems.isEmpty()) {
            answer.complete(value);
        } else {
            fail(new AssertionError("not as in docs/schema/exec.json: " + problems + " in " + request));
        }
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
