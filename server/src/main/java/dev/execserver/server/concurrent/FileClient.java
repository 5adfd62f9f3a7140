package dev.execserver.server.concurrent;

import java.util.ArrayDeque;
import java.util.Optional;

/** Somebody whose calls of file workers are counted: a connection. The lock of the workers guards what has no other guard. */
public final class FileClient {
    private static final ScopedValue<FileClient> CURRENT = ScopedValue.newInstance();

    final ArrayDeque<FileWorkers.Run> waiting = new ArrayDeque<>();
    int running;
    int aside;
    /** Counts its long work; null in that. */
    final FileClient longWork;

    private final Departure departure = new Departure();
    /** The pool that it has asked last: there is one for each of the two. */
    private volatile FileWorkers workers;

    public FileClient() {
        this(new FileClient(null));
    }

    private FileClient(FileClient longWork) {
        this.longWork = longWork;
    }

    /** Runs {@code work} here; what it gives to workers is counted for the client. */
    public static void onBehalfOf(FileClient client, Runnable work) {
        ScopedValue.where(CURRENT, client).run(work);
    }

    /** Work for another thread whose calls are counted for the client that this thread works for. */
    public static Runnable forSameClient(Runnable work) {
        return current().<Runnable>map(client -> () -> onBehalfOf(client, work)).orElse(work);
    }

    /** The client that this thread works for; empty for work of the server's own. */
    public static Optional<FileClient> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** What is done when it goes. */
    public Departure departure() {
        return departure;
    }

    /** Called before it is asked whether it has gone, so that a departure finds the workers or is found. */
    void asks(FileWorkers pool) {
        workers = pool;
    }

    /** It has gone: nobody waits for its answers. Does not wait. */
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
