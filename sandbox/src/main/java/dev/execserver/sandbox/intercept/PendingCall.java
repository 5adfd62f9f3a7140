package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.NotifyCalls;
import dev.execserver.sandbox.linux.NotifyCalls.Notification;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A system call that waits in the kernel for its answer. It is answered once: the first thread that claims it does. After the
 * listener was closed the kernel itself answers ENOSYS. Any thread.
 */
public final class PendingCall {
    private final AsyncFd listener;
    private final Notification notification;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile Optional<Thread> decider = Optional.empty();

    PendingCall(AsyncFd listener, Notification notification) {
        this.listener = listener;
        this.notification = notification;
    }

    public Notification notification() {
        return notification;
    }

    public int tid() {
        return notification.tid();
    }

    /** Returns true for the first caller, who must answer. */
    public boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Sets the thread that thinks about it, which is interrupted if the answer is wanted no more. */
    public void decidedBy(Thread thread) {
        decider = Optional.of(thread);
    }

    /** Tells the deciding thread that nobody waits. */
    void forget() {
        decider.ifPresent(Thread::interrupt);
    }

    /** Returns true while the task waits. */
    public boolean waiting() {
        try {
            return listener.use(fd -> NotifyCalls.valid(fd, notification.id()));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Lets the call go on, without claim; false if the task does not wait any more. */
    public boolean proceed() {
        try {
            return listener.use(fd -> NotifyCalls.proceed(fd, notification.id()));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Lets the call fail, without claim; false if the task does not wait any more. */
    public boolean fail(int errno) {
        try {
            return listener.use(fd -> NotifyCalls.fail(fd, notification.id(), errno));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Lets the call return 0 without being made, without claim; false if the task does not wait any more. */
    public boolean succeed() {
        try {
            return listener.use(fd -> NotifyCalls.succeed(fd, notification.id()));
        } catch (ClosedException e) {
            return false;
        }
    }

    /** Returns the process of the task. @throws LinuxException ESRCH if it is gone */
    public int process() {
        return TaskStatus.of(tid()).process();
    }

    /**
     * Reads the memory of the task once. Platform threads only.
     *
     * @throws LinuxException EFAULT as the call would give; EACCES if the task cannot be read
     */
    public byte[] memory(long address, int count) {
        try (TaskMemory memory = new TaskMemory(tid())) {
            return memory.bytes(address, count);
        }
    }
}
