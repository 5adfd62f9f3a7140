package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The event queue of epoll(7). {@link #add}, {@link #modify} and {@link #remove} never block; {@link #await} blocks and is
 * for a platform thread. Stateless.
 */
public final class EpollCalls {
    public static final int EPOLLIN = 0x001;
    public static final int EPOLLOUT = 0x004;
    public static final int EPOLLERR = 0x008;
    public static final int EPOLLHUP = 0x010;
    public static final int EPOLLONESHOT = 1 << 30;

    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int CTL_MOD = 3;
    /**
     * Offset of the data. struct epoll_event is packed on x86-64 only: 64 bits of data follow 32 bits of events at once, else
     * aligned.
     */
    private static final int DATA = Architecture.current() == Architecture.X86_64 ? 4 : 8;

    private static final int EVENT_BYTES = DATA + 8;

    private EpollCalls() {}

    /** Memory for the results of one {@link #await}. Used by one thread. */
    public static final class Events {
        private final MemorySegment memory;
        private final int capacity;

        public Events(int capacity) {
            this.capacity = capacity;
            this.memory = Arena.ofAuto().allocate((long) EVENT_BYTES * capacity, 8);
        }

        public int flags(int index) {
            return memory.get(JAVA_INT, (long) index * EVENT_BYTES);
        }

        /** Returns the token that was given when the descriptor was armed. */
        public long token(int index) {
            return memory.get(JAVA_LONG_UNALIGNED, (long) index * EVENT_BYTES + DATA);
        }
    }

    public static Fd create() {
        long fd = Kernel.call(Syscall.EPOLL_CREATE1, FileCalls.O_CLOEXEC);
        return new Fd((int) Kernel.check(fd, Syscall.EPOLL_CREATE1, ""));
    }

    public static void add(Fd epoll, int fd, int events, long token) {
        control(epoll, CTL_ADD, fd, events, token);
    }

    /** Changes the events. A descriptor that is ready already is reported at once, so arming loses no earlier event. */
    public static void modify(Fd epoll, int fd, int events, long token) {
        control(epoll, CTL_MOD, fd, events, token);
    }

    public static void remove(Fd epoll, int fd) {
        control(epoll, CTL_DEL, fd, 0, 0);
    }

    /** Blocks until a descriptor is ready. Returns the number of events. */
    public static int await(Fd epoll, Events events) {
        try (Scratch scratch = Scratch.take()) {
            long address = events.memory.address();
            long count = Kernel.call(scratch, Syscall.EPOLL_PWAIT, epoll.number(), address, events.capacity, -1, 0, 0);
            return (int) Kernel.check(count, Syscall.EPOLL_PWAIT, epoll.number());
        }
    }

    private static void control(Fd epoll, int operation, int fd, int events, long token) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment event = scratch.struct();
            event.set(JAVA_INT, 0, events);
            event.set(JAVA_LONG_UNALIGNED, DATA, token);
            long result = Kernel.call(scratch, Syscall.EPOLL_CTL, epoll.number(), operation, fd, event.address());
            Kernel.check(result, Syscall.EPOLL_CTL, fd);
        }
    }
}
