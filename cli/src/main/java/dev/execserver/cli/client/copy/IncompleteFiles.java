package dev.execserver.cli.client.copy;

import dev.execserver.client.error.ConnectionLostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Incomplete files that must be removed when a copy is broken off. Thread-safe; the shutdown hook may remove the file
 * that the main thread is writing.
 */
public final class IncompleteFiles {

    private final Set<Removal> removals = ConcurrentHashMap.newKeySet();
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** Removes one file; harmless if it does not exist. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** One incomplete file. Closing it before {@link #complete} removes the file. */
    final class Removal implements AutoCloseable {
        private final String name;
        private final Step step;

        private Removal(String name, Step step) {
            this.name = name;
            this.step = step;
        }

        void complete() {
            removals.remove(this);
        }

        /**
         * Removes the file. A pending interrupt, which breaks the copy off, is delayed so that it does not prevent the
         * removal.
         */
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
                left.add(name);
                Thread.currentThread().interrupt();
            } catch (ConnectionLostException e) {
                left.add(name);
            } catch (Exception e) {
                // Most likely the file was never made. The copy fails anyway, and its own error is the better message.
                return;
            }
        }
    }

    /** @param name name of the file in messages */
    Removal add(String name, Step step) {
        Removal removal = new Removal(name, step);
        removals.add(removal);
        return removal;
    }

    /** Removes all incomplete files. */
    public void removeAll() {
        removals.forEach(Removal::close);
    }

    /** Returns the files that may be left, because their machine could not be reached any more. */
    public List<String> left() {
        return left.stream().sorted().toList();
    }
}
