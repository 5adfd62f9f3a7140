package dev.execserver.sandbox.io;

import java.util.concurrent.locks.LockSupport;

/** One wait of one thread for a descriptor, made by that thread. A new wait is a new object. No locks. */
final class Waiter {
    private final Thread thread = Thread.currentThread();
    private volatile int events;
    private volatile boolean done;

    /** Ends the wait; from any thread. */
    void wake(int with) {
        events = with;
        done = true;
        LockSupport.unpark(thread);
    }

    boolean done() {
        return done;
    }

    /** Returns the events that ended the wait, as in epoll_ctl(2); 0 before. */
    int events() {
        return events;
    }
}
