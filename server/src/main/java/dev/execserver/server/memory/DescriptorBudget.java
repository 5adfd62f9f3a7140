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
 * Counts how near this server is to its limit of open descriptors. It adds the descriptors that are open, which the
 * kernel counts, and those that are promised to work under way. The number of a new descriptor would not show the
 * count: the kernel hands out the lowest free number (open(2)), so there are holes.
 *
 * <p>Requests of clients are refused while a reserve is still free. With the reserve the server can still accept
 * connections, read /proc and end processes: a listener whose accept(2) fails is lost. Any thread; no locks.
 */
public final class DescriptorBudget {
    /** A server needs some 80 descriptors for itself. With a smaller limit than this it could serve hardly anybody. */
    public static final int SMALLEST_LIMIT = 256;

    /** New work is refused when fewer are free than an eighth of the limit, within these bounds. */
    private static final int SMALLEST_RESERVE = 48;

    private static final int LARGEST_RESERVE = 1024;

    /** New connections are refused when fewer are free. */
    private static final int FOR_THE_SERVER = 32;

    /** A command may have a sixteenth of the limit as connections, whatever else it is allowed. */
    private static final int COMMANDS_OF_LIMIT = 16;

    /** A connection to a host needs one descriptor: the addresses of the host are tried one after the other. */
    private static final int FOR_ONE_CONNECTION = 1;

    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorBudget.class);

    private static final String REASON = "reason";
    private static final String DESCRIPTORS = "descriptors";

    /** Text of EMFILE and ENFILE, both from the kernel and from the JDK. */
    private static final String TOO_MANY = "Too many open files";

    private final long limit;
    private final LongSupplier open;
    private final AtomicLong promised = new AtomicLong();

    /** @param open counts the open descriptors */
    public DescriptorBudget(long limit, LongSupplier open) {
        this.limit = limit;
        this.open = open;
    }

    /**
     * Descriptors that are promised to work under way. Close it once, when the work has opened its own or has failed.
     */
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

    /** Makes one with the soft limit that this process has now, see getrlimit(2). */
    public static DescriptorBudget ofThisProcess() {
        Limit files = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
        return new DescriptorBudget(files.soft() < 0 ? Long.MAX_VALUE : files.soft(), DescriptorBudget::countOpen);
    }

    /**
     * Counts the open descriptors and also opens a new one as a test: the whole machine may have none left, or another
     * program may have lowered the limit meanwhile.
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

    /**
     * Returns how many descriptors peers that are not authenticated yet may hold together: {@code atMost}, or an eighth
     * of the limit if that is less.
     */
    public int forStrangers(int atMost) {
        return (int) Math.min(atMost, limit / 8);
    }

    /** Returns true if one more connection leaves the server the descriptors that it needs for itself. */
    public boolean acceptsConnection() {
        return inUse() < limit - FOR_THE_SERVER;
    }

    /**
     * Promises descriptors to work for a client. Call it before anything is started or opened.
     *
     * @param what name of the work for the error: {@code process/start}
     * @param count the most descriptors that the work has open at once before it is done; 0 if it opens none
     * @return the promise; close it when the work has opened its own descriptors or has failed
     * @throws RpcException when only the reserve is left
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
     * Promises the descriptor of a connection that is made for a command which has connected to its proxy. Commands
     * must leave twice the reserve free, so that they cannot keep clients from starting processes.
     *
     * @return the promise, or empty when too few are free; {@link #lack} gives the text of the error then
     */
    public Optional<Promise> admitForCommand() {
        return promise(FOR_ONE_CONNECTION, 2 * reserve());
    }

    /** Returns true if a command may have descriptors that only make it faster. */
    public boolean spareForCommand() {
        return inUse() <= limit - 2 * reserve();
    }

    /**
     * Waits while less than one and a half reserves are free. Call it with a connection that a command has opened to
     * its proxy. By then {@link #admitForCommand} already refuses connections to hosts, with an error text.
     *
     * @param over asked while waiting
     * @return false when {@code over} has become true
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

    /** Returns the text about the lack of descriptors for errors. */
    public String lack() {
        return "the server has hardly any file descriptor left of its " + limit;
    }

    /** Returns how many connections a command may have at once. */
    public int forCommand(int atMost) {
        return (int) Math.min(atMost, limit / COMMANDS_OF_LIMIT);
    }

    private Optional<Promise> promise(int count, long left) {
        if (count == 0) {
            return Optional.of(new Promise(0));
        }
        promised.addAndGet(count); // add first: of two threads that come at once, each sees the other's
        if (inUse() <= limit - left) {
            return Optional.of(new Promise(count));
        }
        promised.addAndGet(-count);
        return Optional.empty();
    }

    private long reserve() {
        return Math.clamp(limit / 8, SMALLEST_RESERVE, LARGEST_RESERVE);
    }

    /** Returns the same error. If EMFILE or ENFILE caused it, it gets the reason that {@link #admit} gives. */
    public static RpcException named(RpcException e) {
        return e.message().contains(TOO_MANY) ? e.withData(REASON, DESCRIPTORS) : e;
    }

    private long inUse() {
        long promises = promised.get();
        try {
            return open.getAsLong() + promises;
        } catch (LinuxException e) {
            return Long.MAX_VALUE; // not even one descriptor can be opened
        }
    }
}
