package dev.execserver.server.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Makes all threads of the server. Nothing else does, so that every thread has a name that tells whose work it does.
 */
public final class Threads {

    private Threads() {}

    /**
     * Starts a virtual thread. All threads of one kind share a name: a number for each would cost more than it tells.
     */
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }

    /** Starts a daemon platform thread, for work that blocks in the kernel. */
    public static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    /** Makes one daemon platform thread that runs its tasks in order. */
    public static ExecutorService oneDaemon(String name) {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /** Makes a factory of daemon platform threads called {@code name-0}, {@code name-1}, and so on. */
    public static ThreadFactory daemons(String name) {
        AtomicLong next = new AtomicLong();
        return work -> Thread.ofPlatform()
                .daemon()
                .name(name + "-" + next.getAndIncrement())
                .unstarted(work);
    }

    /** Runs the work for every item, each on a virtual thread of its own, and returns when all are done. */
    public static <T> void virtualAll(String name, Collection<T> items, Consumer<T> work) {
        List<Thread> threads = new ArrayList<>(items.size());
        for (T item : items) {
            threads.add(virtual(name, () -> work.accept(item)));
        }
        threads.forEach(Threads::join);
    }

    /** Waits for the end of a thread, also if this thread is interrupted meanwhile; it stays interrupted then. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
