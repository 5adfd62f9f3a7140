package dev.execserver.server.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The only place where the server makes threads, so that every one of them has a name that says whose work it does. */
public final class Threads {

    private Threads() {}

    /** Starts a virtual thread. The name is shared by all threads of one kind: a number per thread costs more than it tells. */
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }

    /** Starts a daemon platform thread: for work that blocks in the kernel. */
    public static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    /** One daemon platform thread that does what it is given, in order. */
    public static ExecutorService oneDaemon(String name) {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /** A factory of daemon platform threads called {@code name-0}, {@code name-1}, and so on. */
    public static ThreadFactory daemons(String name) {
        AtomicLong next = new AtomicLong();
        return work -> Thread.ofPlatform()
                .daemon()
                .name(name + "-" + next.getAndIncrement())
                .unstarted(work);
    }

    /** Does the work for every item, each on a virtual thread of its own, and returns when all are done. */
    public static <T> void virtualAll(String name, Collection<T> items, Consumer<T> work) {
        List<Thread> threads = new ArrayList<>(items.size());
        for (T item : items) {
            threads.add(virtual(name, () -> work.accept(item)));
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
