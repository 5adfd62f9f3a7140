package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.SpawnCalls;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A platform thread that restricts itself permanently, starts one process, which inherits the restriction, and then waits
 * until that process was reaped: the end of this thread would trigger a parent-death signal of the process.
 *
 * <p>A thread that a restricted thread starts is restricted too, and waking a virtual thread may start a carrier thread. So
 * only spawner threads, which are platform threads, wait for this one, and it does nothing but the system calls. The queues
 * are their own locks.
 */
final class RestrictedThread {
    private final BlockingQueue<Optional<SpawnCalls.Plan>> orders = new LinkedBlockingQueue<>();
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final Runnable restriction;
    private boolean restricted;

    private sealed interface Result {
        record Pid(int pid) implements Result {}

        record Failure(Throwable cause) implements Result {}
    }

    private RestrictedThread(Runnable restriction) {
        this.restriction = restriction;
    }

    static RestrictedThread start(Runnable restriction) {
        RestrictedThread thread = new RestrictedThread(restriction);
        SpawnThreads.daemon("restricted-spawner", thread::work);
        return thread;
    }

    /**
     * Starts the process. A spawner thread calls it, and calls again only after a failure. Throws the exception of the
     * restriction or of posix_spawn.
     */
    int spawn(SpawnCalls.Plan plan) {
        orders.add(Optional.of(plan));
        return switch (take(results)) {
            case Result.Pid(int pid) -> pid;
            case Result.Failure(RuntimeException cause) -> throw cause;
            case Result.Failure(Error cause) -> throw cause;
            case Result.Failure(Throwable cause) -> throw new IllegalStateException(cause);
        };
    }

    /** Lets the thread end; any thread may call. */
    void release() {
        orders.add(Optional.empty());
    }

    private void work() {
        for (Optional<SpawnCalls.Plan> order = take(orders); order.isPresent(); order = take(orders)) {
            results.add(attempt(order.get()));
        }
    }

    private Result attempt(SpawnCalls.Plan plan) {
        try {
            if (!restricted) {
                restriction.run();
                restricted = true;
            }
            return new Result.Pid(SpawnCalls.spawn(plan));
        } catch (RuntimeException | Error e) {
            return new Result.Failure(e);
        }
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody may interrupt a spawner thread", e);
        }
    }
}
