package dev.execserver.server.tracing;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The span in which a thread works. Threads of requests bind it, and file workers inherit it from the thread that calls them.
 * Costs nothing where none is bound.
 */
public final class Traced {
    private static final ScopedValue<Span> CURRENT = ScopedValue.newInstance();

    private Traced() {}

    /** Runs work on this thread in the span, if there is one. */
    public static void run(Optional<Span> span, Runnable work) {
        if (span.isPresent()) {
            ScopedValue.where(CURRENT, span.get()).run(work);
        } else {
            work.run();
        }
    }

    /** Runs work on this thread in the span, if there is one. */
    public static <T, E extends Throwable> T call(Optional<Span> span, ScopedValue.CallableOp<T, E> work) throws E {
        return span.isPresent() ? ScopedValue.where(CURRENT, span.get()).call(work) : work.call();
    }

    /** Returns the span of this thread. */
    public static Optional<Span> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Wraps work for another thread, so that it belongs to the span of this thread. */
    public static Runnable forSameSpan(Runnable work) {
        return current()
                .<Runnable>map(span -> () -> ScopedValue.where(CURRENT, span).run(work))
                .orElse(work);
    }

    /** Runs a step of this thread's work in a span of its own. */
    public static <T> T step(String name, Supplier<T> work) {
        if (!CURRENT.isBound()) {
            return work.get();
        }
        Span span = CURRENT.get().child(name);
        try {
            return work.get();
        } catch (RuntimeException e) {
            span.failed(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            span.end();
        }
    }

    /** Begins a span within that of this thread, which may end on another thread. */
    public static Optional<Span> begin(String name) {
        return current().map(span -> span.child(name));
    }
}
