package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.SpawnCalls;
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
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final Restriction restriction;
    private boolean restricted; // used by the spawner thread

    private sealed interface Order {
        record Restrict() implements Order {}

        record Spawn(SpawnCalls.Plan plan) implements Order {}

        record End() implements Order {}
    }

    private sealed interface Result {
        record Restricted() implements Result {}

        record Pid(int pid) implements Result {}

        record Failure(Throwable cause) implements Result {}
    }

    private RestrictedThread(Restriction restriction) {
        this.restriction = restriction;
    }

    static RestrictedThread start(Restriction restriction) {
        RestrictedThread thread = new RestrictedThread(restriction);
        SpawnThreads.daemon("restricted-spawner", thread::work);
        return thread;
    }

    /**
     * Starts the process. A spawner thread calls it, and calls again only after a failure. Throws the exception of the
     * restriction or of posix_spawn.
     */
    int spawn(SpawnCalls.Plan plan) {
        if (!restricted) {
            int _ = order(new Order.Restrict());
            restricted = true;
        }
        restriction.starting();
        return order(new Order.Spawn(plan));
    }

    private int order(Order order) {
        orders.add(order);
        return switch (take(results)) {
            case Result.Restricted() -> 0;
            case Result.Pid(int pid) -> pid;
            case Result.Failure(RuntimeException cause) -> throw cause;
            case Result.Failure(Error cause) -> throw cause;
            case Result.Failure(Throwable cause) -> throw new IllegalStateException(cause);
        };
    }

    /** Lets the thread end; any thread may call. */
    void release() {
        orders.add(new Order.End());
    }

    private void work() {
        for (Order order = take(orders); !(order instanceof Order.End); order = take(orders)) {
            results.add(attempt(order));
        }
    }

    private Result attempt(Order order) {
        try {
            return switch (order) {
                case Order.Spawn(SpawnCalls.Plan plan) -> new Result.Pid(SpawnCalls.spawn(plan));
                case Order.Restrict() -> {
                    restriction.restrict();
                    yield new Result.Restricted();
                }
                case Order.End() -> throw new IllegalStateException("the thread has ended");
            };
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
