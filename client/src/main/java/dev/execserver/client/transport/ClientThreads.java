package dev.execserver.client.transport;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The only place where the client makes threads, so that every one has a name that says whose work it does. */
public final class ClientThreads {

    private ClientThreads() {}

    /** Starts a virtual thread; the name is shared by all threads of one kind. */
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }

    /** Does one thing after the other on a virtual thread; to be shut down. */
    public static ExecutorService oneVirtual(String name) {
        return Executors.newSingleThreadExecutor(Thread.ofVirtual().name(name).factory());
    }

    /** Starts a daemon platform thread: for work that blocks in the kernel. */
    public static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
