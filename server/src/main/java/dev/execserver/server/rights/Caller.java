package dev.execserver.server.rights;

import java.util.Optional;

/**
 * The client on whose behalf a thread works. The threads of requests bind it, and file workers inherit it from the thread
 * that calls them. A thread that binds none does the server's own work.
 */
public final class Caller {
    private static final ScopedValue<Rights> CURRENT = ScopedValue.newInstance();

    private Caller() {}

    /** Runs work on this thread with the rights of a client. */
    public static void run(Rights rights, Runnable work) {
        ScopedValue.where(CURRENT, rights).run(work);
    }

    /** Runs work on this thread with the rights of a client. */
    public static <T, E extends Throwable> T call(Rights rights, ScopedValue.CallableOp<T, E> work) throws E {
        return ScopedValue.where(CURRENT, rights).call(work);
    }

    /** Wraps work for another thread, so that it has the rights of the client of this thread. */
    public static Runnable forSameCaller(Runnable work) {
        return current().<Runnable>map(rights -> () -> run(rights, work)).orElse(work);
    }

    /** Returns the rights that count on this thread; empty for the server's own work. */
    public static Optional<Rights> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }
}
