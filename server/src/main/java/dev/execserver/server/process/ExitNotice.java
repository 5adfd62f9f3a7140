package dev.execserver.server.process;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells a listener of the exit of one process, once. Any thread. */
final class ExitNotice {
    private static final Consumer<ExitFacts> NOBODY = _ -> {};

    private final AtomicReference<Consumer<ExitFacts>> listener = new AtomicReference<>(NOBODY);

    void to(Consumer<ExitFacts> who) {
        listener.set(who);
    }

    void tell(Supplier<ExitFacts> facts) {
        Consumer<ExitFacts> who = listener.getAndSet(NOBODY);
        if (who != NOBODY) {
            who.accept(facts.get());
        }
    }
}
