package dev.execserver.cli.client;

import dev.execserver.client.error.ExecServerException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * End of a remote program that this one asks for: a signal, a few seconds to write the last output, then the kill. A server that answers
 * nothing, or does not even read, keeps nobody longer than {@link #PATIENCE}; so every request has a thread of its own, which is not waited for.
 */
record RemoteEnd(RemoteTask task, OutputRelay relay, String signal) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
    /** Part of {@link #PATIENCE} that is kept for the kill if the server does not answer. */
    private static final Duration LAST_TRY = Duration.ofSeconds(1);

    /** Pause between looks for the answer to a request. */
    private static final Duration LOOK = Duration.ofMillis(20);

    /**
     * Sends the signal, and kills the program if it goes on and {@code kills} is true.
     *
     * @return true if the program has ended
     */
    boolean run(boolean kills) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        Optional<Boolean> signalled = answer("run-signal-send", () -> task.signal(signal), until - LAST_TRY.toNanos());
        // false: the server does not know this signal, or there is no connection
        if (signalled.orElse(false) && relay.awaitEnd(millisTo(until))) {
            return true;
        }
        if (!kills) {
            return relay.awaitEnd(0);
        }
        if (signalled.isPresent()) {
            until = System.nanoTime() + AFTER_KILL.toNanos();
        }
        Optional<Boolean> killed = answer("run-kill-send", task::terminate, until);
        return killed.orElse(true) && relay.awaitEnd(millisTo(until));
    }

    /** A request to the server. */
    @FunctionalInterface
    private interface Sending {
        void send() throws InterruptedException;
    }

    /**
     * Sends a request and waits for its answer, or for the end of the remote program.
     *
     * @return true if the server has done it, false if it refuses or there is no connection; empty without an answer
     */
    private Optional<Boolean> answer(String name, Sending request, long untilNanos) throws InterruptedException {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        CliThreads.daemon(name, () -> {
            try {
                request.send();
                answered.complete(true);
            } catch (ExecServerException e) {
                answered.complete(false);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (!answered.isDone() && millisTo(untilNanos) > 0 && !relay.awaitEnd(LOOK.toMillis())) {
            // until one of them has happened
        }
        return Optional.ofNullable(answered.getNow(relay.awaitEnd(0) ? true : null));
    }

    private static long millisTo(long nanos) {
        return Math.max(0, Duration.ofNanos(nanos - System.nanoTime()).toMillis());
    }
}
