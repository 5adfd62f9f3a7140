package dev.execserver.server.cli.client.copy;

import dev.execserver.client.error.ConnectionLostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What must be removed when a copy is broken off: files that are not complete. Thread-safe; the shutdown hook may remove
 * what the main thread is at.
 */
public final class Leftovers {

    private final Set<Removal> removals = ConcurrentHashMap.newKeySet();
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** Removes one file; harmless when it is not there. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** One file that is not complete yet. Closed before {@link #complete} it is removed. */
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
                left.add(name);
                Thread.currentThread().interrupt();
            } catch (ConnectionLostException e) {
                left.add(name);
            } catch (Exception e) {
                // Most likely it was never made. The copy fails already, and its reason is the better message.
                return;
            }
        }
    }

    /** @param name how the file is called in messages */
    Removal add(String name, Step step) {
        Removal removal = new Removal(name, step);
        removals.add(removal);
        return removal;
    }

    /** Removes everything that is not complete. */
    public void removeAll() {
        removals.forEach(Removal::close);
    }

    /** What may be left, because whoever has it could not be reached any more. */
    public List<String> left() {
        return left.stream().sorted().toList();
    }
}
