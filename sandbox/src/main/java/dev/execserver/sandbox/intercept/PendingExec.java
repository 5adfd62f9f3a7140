package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.NotifyCalls;
import dev.execserver.sandbox.linux.NotifyCalls.Notification;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An exec that waits in the kernel for its answer. It is answered once: the first thread that claims it does. After the
 * listener was closed the kernel itself answers ENOSYS. Any thread.
 */
final class PendingExec {
    private final AsyncFd listener;
    private final Notification notification;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile Optional<Thread> decider = Optional.empty();

    PendingExec(AsyncFd listener, Notification notification) {
        this.listener = listener;
        this.notification = notification;
    }

    Notification notification() {
        return notification;
    }

    int tid() {
        return notification.tid();
    }

    /** Returns true for the first caller, who must answer. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Sets the thread that thinks about it, which is interrupted if the answer is wanted no more. */
    void decidedBy(Thread thread) {
        decider = Optional.of(thread);
    }

    /** Tells the deciding thread that nobody waits. */
    void forget() {
        decider.ifPresent(Thread::interrupt);
    }

    /** Returns true while the task waits. */
    boolean waiting() {
        try {
            return listener.use(fd -> NotifyCalls.valid(fd, notification.id()));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Lets the exec go on, without claim; false if the task does not wait any more. */
    boolean proceed() {
        try {
            return listener.use(fd -> NotifyCalls.proceed(fd, notification.id()));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Lets the exec fail, without claim; false if the task does not wait any more. */
    boolean fail(int errno) {
        try {
            return listener.use(fd -> NotifyCalls.fail(fd, notification.id(), errno));
        } catch (ClosedException e) {
            return false;
        }
    }
}
