package dev.execserver.server.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** The only place where the server makes threads, so that every one of them has a name that says whose work it does. */
public final class Threads {

    private Threads() {}

    /** Starts a virtual thread. The name is shared by all threads of one kind: a number per thread costs more than it tells. */
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }

    /** A factory of daemon platform threads called {@code name-0}, {@code name-1}, and so on. */
    public static ThreadFactory daemons(String name) {
        AtomicLong next = new AtomicLong();
        return work -> Thread.ofPlatform()
                .daemon()
                .name(name + "-" + next.getAndIncrement())
                .unstarted(work);
    }
}
