package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How near this server is to its limit of open descriptors: those that are open, which the kernel counts, and those that
 * work under way was promised and may not have opened yet. The number of a new descriptor would not tell, for the kernel
 * hands out the lowest that is free (open(2)) and there are holes.
 *
 * <p>What a client asks for is refused while a reserve is still free, so that the server can go on to accept, to read
 * /proc and to end processes: a listener whose accept(2) fails is lost.
 *
 * <p>Any thread; no locks.
 */
public final class DescriptorRoom {
    /** A server with fewer descriptors could serve hardly anybody: it needs some 80 for itself. */
    public static final int SMALLEST_LIMIT = 256;

    /** New work is refused when fewer are free: an eighth of the limit, in these bounds. */
    private static final int SMALLEST_RESERVE = 48;

    private static final int LARGEST_RESERVE = 1024;

    /** New connections are refused when fewer are free. */
    private static final int FOR_THE_SERVER = 32;

    /**
     * What one piece of work may open before it is done. A start has three pipes with two ends each, a pidfd, and files in
     * memory for its sandbox.
     */
    static final int FOR_ONE = 12;

    private static final String REASON = "reason";
    private static final String DESCRIPTORS = "descriptors";

    /** In the texts of EMFILE and ENFILE, the kernel's as the JDK's. */
    private static final String TOO_MANY = "Too many open files";

    private final long limit;
    private final LongSupplier open;
    private final AtomicLong promised = new AtomicLong();

    /** @param open counts those that are open */
    DescriptorRoom(long limit, LongSupplier open) {
        this.limit = limit;
        this.open = open;
    }

    /** Descriptors promised to work under way. To be closed once, when it has opened its own or has failed. */
    public final class Promise implements AutoCloseable {
        private Promise() {}

        @Override
        public void close() {
            promised.addAndGet(-FOR_ONE);
        }
    }

    /** With the soft limit that this process has now, see getrlimit(2). */
    public static DescriptorRoom ofThisProcess() {
        Limit files = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
        return new DescriptorRoom(files.soft() < 0 ? Long.MAX_VALUE : files.soft(), DescriptorRoom::countOpen);
    }

    /**
     * A new one is tried as well: the whole machine may have none left, or somebody has lowered the limit meanwhile.
     *
     * @throws LinuxException EMFILE, ENFILE
     */
    private static long countOpen() {
        try (Fd _ = PipeCalls.eventCounter()) {
            return ProcFiles.openDescriptors() - 1;
        }
    }

    public boolean tooSmallForAServer() {
        return limit < SMALLEST_LIMIT;
    }

    public long limit() {
        return limit;
    }

    /** Peers that are not authenticated yet may hold so many, whatever else they are allowed. */
    public int forStrangers(int atMost) {
        return (int) Math.min(atMost, limit / 8);
    }

    /** True when one more connection leaves the server what it needs for itself. */
    public boolean acceptsConnection() {
        return inUse() < limit - FOR_THE_SERVER;
    }

    /**
     * Called before anything is started or opened for a client.
     *
     * @param what names it for the error: {@code process/start}
     * @return what it may open, until it has
     * @throws RpcException when the descriptors left are kept in reserve
     */
    public Promise admit(String what) {
        long reserve = Math.clamp(limit / 8, SMALLEST_RESERVE, LARGEST_RESERVE);
        promised.addAndGet(FOR_ONE); // first: of two that come at once, each sees the other
        if (inUse() <= limit - reserve) {
            return new Promise();
        }
        promised.addAndGet(-FOR_ONE);
        throw RpcException.internal(
                        what + ": the server has hardly any file descriptor left of its " + limit
                                + "; end processes, close files or connections, or start the server with a higher limit (ulimit -n)")
                .withData(REASON, DESCRIPTORS)
                .withData("limit", limit);
    }

    /** The same error; with the reason that {@link #admit} gives when it comes of EMFILE or ENFILE. */
    public static RpcException named(RpcException e) {
        return e.message().contains(TOO_MANY) ? e.withData(REASON, DESCRIPTORS) : e;
    }

    private long inUse() {
        long promises = promised.get();
        try {
            return open.getAsLong() + promises;
        } catch (LinuxException e) {
            return Long.MAX_VALUE; // none can be had
        }
    }
}
