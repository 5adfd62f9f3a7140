package dev.execserver.server.concurrent;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LongWork;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Waits for calls that were given to workers. Stateless. */
final class FileTasks {

    private FileTasks() {}

    /** Waits for the end even if the thread is interrupted, because the work uses data of the caller. */
    static <T> T await(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (CancellationException e) {
                    throw gone();
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

    /** Makes the error of a call whose client has gone. Nobody receives it. */
    static RpcException gone() {
        return RpcException.internal("the client has gone").withData("reason", "clientGone");
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case Error error -> throw error;
            case LongWork.AbandonedException _ -> gone();
            case RuntimeException exception -> exception;
            default -> new IllegalStateException(cause);
        };
    }
}
