package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /** A command may have so many connections, whatever else it is allowed: a sixteenth of the limit. */
    private static final int COMMANDS_OF_LIMIT = 16;

    /** To a host; its addresses are tried one after the other. */
    private static final int FOR_ONE_CONNECTION = 1;

    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorRoom.class);

    private static final String REASON = "reason";
    private static final String DESCRIPTORS = "descriptors";

    /** In the texts of EMFILE and ENFILE, the kernel's as the JDK's. */
    private static final String TOO_MANY = "Too many open files";

    private final long limit;
    private final LongSupplier open;
    private final AtomicLong promised = new AtomicLong();

    /** @param open counts those that are open */
    public DescriptorRoom(long limit, LongSupplier open) {
        this.limit = limit;
        this.open = open;
    }

    /** Descriptors promised to work under way. To be closed once, when it has opened its own or has failed. */
    public final class Promise implements AutoCloseable {
        private final int count;

        private Promise(int count) {
            this.count = count;
        }

        @Override
        public void close() {
            promised.addAndGet(-count);
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
     * @param count how many it has open at once at most, before it is done; 0 for what opens none
     * @return what it may open, until it has
     * @throws RpcException when the descriptors left are kept in reserve
     */
    public Promise admit(String what, int count) {
        return promise(count, reserve())
                .orElseThrow(() -> RpcException.internal(
                                what + ": " + lack()
                                        + "; end processes, close files or connections, or start the server with a higher limit (ulimit -n)")
                        .withData(REASON, DESCRIPTORS)
                        .withData("limit", limit));
    }

    /**
     * Called before a connection is made for a command that has opened one to its proxy. Commands leave twice the reserve, so
     * that none of them can keep others from being started.
     *
     * @return what it may open, until it has; empty when {@link #lack}
     */
    public Optional<Promise> admitForCommand() {
        return promise(FOR_ONE_CONNECTION, 2 * reserve());
    }

    /** Whether a command may have some that only make it faster. */
    public boolean spareForCommand() {
        return inUse() <= limit - 2 * reserve();
    }

    /**
     * Called with a connection that a command has opened to its proxy; waits while less than one and a half reserves are free.
     * By then connections onwards are refused, in words.
     *
     * @param over asked while waiting
     * @return false when it is over
     */
    public boolean awaitForCommand(BooleanSupplier over) {
        for (boolean told = false; inUse() > limit - reserve() * 3 / 2; told = true) {
            if (!told) {
                LOG.warn("connections of a command wait: {}", lack());
            }
            LockSupport.parkNanos(ASK_AGAIN_NANOS);
            if (over.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** For errors. */
    public String lack() {
        return "the server has hardly any file descriptor left of its " + limit;
    }

    /** How many connections a command may have at once. */
    public int forCommand(int atMost) {
        return (int) Math.min(atMost, limit / COMMANDS_OF_LIMIT);
    }

    private Optional<Promise> promise(int count, long left) {
        if (count == 0) {
            return Optional.of(new Promise(0));
        }
        promised.addAndGet(count); // first: of two that come at once, each sees the other
        if (inUse() <= limit - left) {
            return Optional.of(new Promise(count));
        }
        promised.addAndGet(-count);
        return Optional.empty();
    }

    private long reserve() {
        return Math.clamp(limit / 8, SMALLEST_RESERVE, LARGEST_RESERVE);
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
