package dev.execserver.sandbox.linux;

import java.util.function.Supplier;

/**
 * Lets long work, such as a search through many files, be observed from outside. The work calls {@link #step} regularly. A
 * step shows that the work proceeds and does not hang in the kernel, and it ends work whose result nobody needs any more. Any
 * thread; without a watcher a step does nothing.
 */
public final class LongWork {
    private static final ScopedValue<Watcher> WATCHER = ScopedValue.newInstance();

    private LongWork() {}

    /** Observer of the steps, called by the thread that does the work. */
    @FunctionalInterface
    public interface Watcher {
        /** @throws AbandonedException to end the work; any other exception of a watcher ends it, too */
        void step();
    }

    /** Ends work whose result nobody needs any more. */
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

    /** Does work that has a result; the watcher is told of its steps. */
    public static <T> T resultWatched(Watcher watcher, Supplier<T> work) {
        return ScopedValue.where(WATCHER, watcher).call(work::get);
    }

    /** Calls the watcher of this thread. */
    public static void step() {
        if (WATCHER.isBound()) {
            WATCHER.get().step();
        }
    }
}
