package dev.execserver.server.concurrent;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Client whose calls to file workers are counted: one connection. The lock of the workers guards the fields that have
 * no other guard.
 */
public final class FileClient {
    private static final ScopedValue<FileClient> CURRENT = ScopedValue.newInstance();

    final ArrayDeque<FileWorkers.Run> waiting = new ArrayDeque<>();
    int running;
    int aside;
    /** Counts the long work of this client; null in the object that counts long work itself. */
    final FileClient longWork;

    private final Disconnection departure = new Disconnection();
    /** The pool that this client has asked last. Each of the two objects of a client has its own pool. */
    private volatile FileWorkers workers;

    public FileClient() {
        this(new FileClient(null));
    }

    private FileClient(FileClient longWork) {
        this.longWork = longWork;
    }

    /** Runs {@code work} on this thread. Calls that it gives to workers are counted for the client. */
    public static void onBehalfOf(FileClient client, Runnable work) {
        ScopedValue.where(CURRENT, client).run(work);
    }

    /** Wraps work for another thread, so that its calls are counted for the client of this thread. */
    public static Runnable forSameClient(Runnable work) {
        return current().<Runnable>map(client -> () -> onBehalfOf(client, work)).orElse(work);
    }

    /** Returns the client that this thread works for; empty for the server's own work. */
    public static Optional<FileClient> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Returns the event that this client goes. */
    public Disconnection departure() {
        return departure;
    }

    /**
     * Stores the pool. The pool calls this before it asks if the client has gone: then either {@link #leave} finds the
     * pool, or the pool finds the departure.
     */
    void asks(FileWorkers pool) {
        workers = pool;
    }

    /** Ends the work of a client that has gone, because nobody waits for the answers. Does not wait. */
    public void leave() {
        departure.happen();
        FileWorkers asked = workers;
        if (asked != null) {
            asked.dropWaiting(this);
        }
        if (longWork != null) {
            longWork.leave();
        }
    }
}
