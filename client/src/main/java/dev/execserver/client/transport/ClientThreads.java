package dev.execserver.client.transport;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Makes all threads of the client. Nothing else does, so that every thread has a name that tells whose work it does.
 */
public final class ClientThreads {

    private ClientThreads() {}

    /** Starts a virtual thread; all threads of one kind share a name. */
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }

    /** Makes an executor that runs its tasks in order on a virtual thread. Shut it down. */
    public static ExecutorService oneVirtual(String name) {
        return Executors.newSingleThreadExecutor(Thread.ofVirtual().name(name).factory());
    }

    /** Starts a daemon platform thread, for work that blocks in the kernel. */
    public static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
