package dev.execserver.sandbox.linux;

import java.util.function.Supplier;

/**
 * Lets work that may take long, as a search through many files does, be watched from outside: it calls {@link #step} every
 * now and then. That tells that it goes on and does not hang in the kernel, and it is where the work learns that nobody waits
 * for its result any more. Any thread; without a watcher a step does nothing.
 */
public final class LongWork {
    private static final ScopedValue<Watcher> WATCHER = ScopedValue.newInstance();

    private LongWork() {}

    /** Told of each step, by the thread that does the work. */
    @FunctionalInterface
    public interface Watcher {
        /** @throws AbandonedException to end the work; any other exception of a watcher does so, too */
        void step();
    }

    /** Nobody waits for the result any more. */
    public static final class AbandonedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public AbandonedException() {
            super("nobody waits for the result any more", null, false, false);
        }
    }

    /** Does the work; the watcher is told of its steps. */
    public static void watched(Watcher watcher, Runnable work) {
        ScopedValue.where(WATCHER, watcher).run(work);
    }

    /** As above, for work with a result. */
    public static <T> T resultWatched(Watcher watcher, Supplier<T> work) {
        return ScopedValue.where(WATCHER, watcher).call(work::get);
    }

    /** Tells the watcher of this thread. */
    public static void step() {
        if (WATCHER.isBound()) {
            WATCHER.get().step();
        }
    }
}
