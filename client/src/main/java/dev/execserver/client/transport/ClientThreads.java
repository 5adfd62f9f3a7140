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

    /** Makes a thread that the JVM starts when it ends, until it is taken back with {@link Runtime#removeShutdownHook}. */
    static Thread atEnd(String name, Runnable work) {
        Thread hook = Thread.ofPlatform().name(name).unstarted(work);
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }

    /** Starts a daemon platform thread, for work that blocks in the kernel. */
    public static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
