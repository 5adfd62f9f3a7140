package dev.execserver.server.cli.client.copy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What must be removed when a copy is broken off: files that are not complete. Thread-safe; the shutdown hook may remove
 * what the main thread is at.
 */
public final class Leftovers {

    private final Set<Removal> removals = ConcurrentHashMap.newKeySet();

    /** Removes one file; harmless when it is not there. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** One file that is not complete yet. Closed before {@link #complete} it is removed. */
    final class Removal implements AutoCloseable {
        private final Step step;

        private Removal(Step step) {
            this.step = step;
        }

        void complete() {
            removals.remove(this);
        }

        /** An interrupt is put off: it is what breaks copies off, and must not break this off too. */
        @Override
        public void close() {
            if (removals.remove(this)) {
                boolean interrupted = Thread.interrupted();
                attempt();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @SuppressWarnings("PMD.AvoidCatchingGenericException")
        private void attempt() {
            try {
                step.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                // Most likely the connection is lost. The copy fails already, and its reason is the better message.
                return;
            }
        }
    }

    Removal add(Step step) {
        Removal removal = new Removal(step);
        removals.add(removal);
        return removal;
    }

    /** Removes everything that is not complete. */
    public void removeAll() {
        removals.forEach(Removal::close);
    }
}
