package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.foreign.MemorySegment;

/**
 * Detects mounts and unmounts in the mount namespace of this process: each causes an exceptional condition on
 * /proc/self/mountinfo, see proc_pid_mounts(5). No call blocks. One thread at a time.
 */
public final class MountEvents implements AutoCloseable {
    private static final short POLLPRI = 2;
    private static final short POLLERR = 8;
    private static final int TIMEOUT = 16;

    private final Fd mountinfo;

    private MountEvents(Fd mountinfo) {
        this.mountinfo = mountinfo;
    }

    /** Starts to detect changes. */
    public static MountEvents open() {
        return new MountEvents(FileCalls.open("/proc/self/mountinfo".getBytes(US_ASCII), FileCalls.O_RDONLY, 0));
    }

    /** Returns true if a mount was added, removed or given other flags since the last call. */
    public boolean changed() {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment poll = scratch.struct();
            poll.set(JAVA_INT, 0, mountinfo.number());
            poll.set(JAVA_SHORT, 4, POLLPRI);
            poll.set(JAVA_SHORT, 6, (short) 0);
            poll.set(JAVA_LONG, TIMEOUT, 0);
            poll.set(JAVA_LONG, TIMEOUT + 8, 0);
            long ready = Kernel.call(scratch, Syscall.PPOLL, poll.address(), 1, poll.address() + TIMEOUT, 0);
            Kernel.check(ready, Syscall.PPOLL, mountinfo.number());
            return ready > 0 && (poll.get(JAVA_SHORT, 6) & (POLLPRI | POLLERR)) != 0;
        }
    }

    @Override
    public void close() {
        mountinfo.close();
    }
}
