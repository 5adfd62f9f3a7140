package dev.execserver.client;

import dev.execserver.client.transport.Connector;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Clients with short delays for tests, and calls on threads of their own. */
final class Clients {

    /** Work that may wait. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws InterruptedException;
    }

    private Clients() {}

    static ClientOptions.Builder options() {
        return ClientOptions.url("ws://127.0.0.1:1")
                .clientName("test")
                .reconnectDelay(Duration.ofMillis(1))
                .reconnectWindow(Duration.ofSeconds(8));
    }

    static ExecServerClient connect(Connector server) throws InterruptedException {
        return connect(server, options());
    }

    static ExecServerClient connect(Connector server, ClientOptions.Builder options) throws InterruptedException {
        return ExecServerClient.connect(server, options.build());
    }

    static <T> FutureTask<T> async(Work<T> work) {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread.ofVirtual().name("test-caller").start(task);
        return task;
    }

    /** Returns the exception of the work. */
    static Throwable failure(FutureTask<?> task) throws InterruptedException {
        try {
            throw new AssertionError("did not fail: " + task.get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
