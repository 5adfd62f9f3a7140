package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.EpollCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A platform thread that waits for all descriptors, see epoll(7), so that virtual threads can park instead of blocking in
 * read(2). Every arming is ONESHOT: one event disarms the descriptor, also a hang-up or error, so nothing can spin. Targets
 * are found by a token that is never reused, not by descriptor number. So an event that arrives after its descriptor was
 * closed finds no target.
 *
 * <p>Any thread may arm. Targets are called on the poller's thread and must only hand over. No locks here.
 */
public final class Poller implements AutoCloseable {
    /** Receives events on the poller's thread; must not block. */
    public interface Target {
        void ready(int events);

        /** Tells the target that the poller has ended and wakes no more threads. */
        void pollerClosed();
    }

    private static final System.Logger LOG = System.getLogger(Poller.class.getName());
    private static final long STOP = 0;

    private final FdGuard epoll;
    private final Fd epollFd;
    private final Fd stopper;
    private final Map<Long, Target> targets = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong(STOP);
    private final AtomicBoolean closing = new AtomicBoolean();

    public Poller() {
        epollFd = EpollCalls.create();
        epoll = new FdGuard(epollFd);
        stopper = PipeCalls.eventCounter();
        EpollCalls.add(epollFd, stopper.number(), EpollCalls.EPOLLIN, STOP);
        IoThreads.daemon("poller", this::run);
    }

    /** Returns a new token for the target. Events come after it is armed. */
    public long enroll(Target target) {
        long token = tokens.incrementAndGet();
        targets.put(token, target);
        if (epoll.closed()) {
            targets.remove(token); // no effect if the closing thread has removed it before
            throw new ClosedException("poller");
        }
        return token;
    }

    /**
     * Asks for one event.
     *
     * @param first true if this descriptor is armed for the first time
     */
    public void arm(long token, int fd, int events, boolean first) {
        epoll.enter();
        try {
            if (first) {
                EpollCalls.add(epollFd, fd, events | EpollCalls.EPOLLONESHOT, token);
            } else {
                EpollCalls.modify(epollFd, fd, events | EpollCalls.EPOLLONESHOT, token);
            }
        } finally {
            epoll.leave();
        }
    }

    /** Forgets a target. Call it before the descriptor is closed. */
    public void forget(long token, int fd, boolean armedBefore) {
        targets.remove(token);
        if (armedBefore && !epoll.closed()) {
            try {
                epoll.enter();
            } catch (ClosedException e) {
                return;
            }
            try {
                EpollCalls.remove(epollFd, fd);
            } finally {
                epoll.leave();
            }
        }
    }

    /** Ends the thread. Descriptors that are still enrolled are closed; their waiters get {@link ClosedException}. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(8, 8);
            one.set(ValueLayout.JAVA_LONG, 0, 1);
            FileCalls.write(stopper.number(), one);
        }
    }

    private void run() {
        EpollCalls.Events events = new EpollCalls.Events(256);
        try {
            boolean running = true;
            while (running) {
                running = deliver(events, EpollCalls.await(epollFd, events));
            }
        } finally {
            epoll.close();
            stopper.close();
            targets.values().forEach(Target::pollerClosed);
        }
    }

    /** Delivers the events. Returns false if the poller was asked to stop. */
    private boolean deliver(EpollCalls.Events events, int count) {
        boolean running = true;
        for (int i = 0; i < count; i++) {
            long token = events.token(i);
            if (token == STOP) {
                running = false;
            } else {
                deliver(token, events.flags(i));
            }
        }
        return running;
    }

    private void deliver(long token, int flags) {
        Target target = targets.get(token);
        if (target == null) {
            return;
        }
        try {
            target.ready(flags);
        } catch (LinuxException | ClosedException e) {
            // One broken descriptor must not end the thread that wakes all others.
            LOG.log(System.Logger.Level.WARNING, "event lost for a descriptor", e);
        }
    }
}
