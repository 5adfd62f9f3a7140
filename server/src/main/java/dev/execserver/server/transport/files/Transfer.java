package dev.execserver.server.transport.files;

import dev.execserver.server.concurrent.FileWorkers;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** What downloads and uploads have in common: one step at a time on a file worker, while the other buffer is on the wire. */
final class Transfer {

    /** Large enough that the hand-over to a file worker does not count. */
    static final int BUFFER_BYTES = 256 * 1024;

    private Transfer() {}

    /** Starts a step; to be followed by {@link #await} before the next one and before the file is closed. */
    static <T> Future<T> start(FileWorkers workers, Callable<T> step) {
        FutureTask<T> task = new FutureTask<>(step);
        workers.submit(task);
        return task;
    }

    /** Waits for a step, however often the thread is interrupted: the step uses a buffer and a file of ours. */
    static <T> T await(Future<T> step) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return step.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw unchecked(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case Error error -> throw error;
            case RuntimeException exception -> exception;
            default -> new IllegalStateException(cause);
        };
    }
}
