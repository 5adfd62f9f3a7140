package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;

/**
 * How near this server is to its limit of open descriptors. The kernel hands out the lowest number that is free
 * (open(2)), so the number of a new descriptor tells how many are in use at least, and nothing has to be counted.
 *
 * <p>What a client asks for is refused while a reserve is still free, so that the server can go on to accept, to read
 * /proc and to end processes: a listener whose accept(2) fails is lost.
 *
 * <p>Any thread; immutable.
 */
public final class DescriptorRoom {
    /** A server with fewer descriptors could serve hardly anybody: it needs some 80 for itself. */
    public static final int SMALLEST_LIMIT = 256;

    /** New work is refused when fewer are free: an eighth of the limit, in these bounds. */
    private static final int SMALLEST_RESERVE = 48;

    private static final int LARGEST_RESERVE = 1024;

    /** New connections are refused when fewer are free. */
    private static final int FOR_THE_SERVER = 32;

    private final long limit;

    DescriptorRoom(long limit) {
        this.limit = limit;
    }

    /** With the soft limit that this process has now, see getrlimit(2). */
    public static DescriptorRoom ofThisProcess() {
        Limit files = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
        return new DescriptorRoom(files.soft() < 0 ? Long.MAX_VALUE : files.soft());
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
        return next() < limit - FOR_THE_SERVER;
    }

    /**
     * Called before anything is started or opened for a client.
     *
     * @param what names it for the error: {@code process/start}
     * @throws RpcException when the descriptors left are kept in reserve
     */
    public void admit(String what) {
        long reserve = Math.clamp(limit / 8, SMALLEST_RESERVE, LARGEST_RESERVE);
        if (next() < limit - reserve) {
            return;
        }
        throw RpcException.internal(
                        what + ": the server has hardly any file descriptor left of its " + limit
                                + "; end processes, close files or connections, or start the server with a higher limit (ulimit -n)")
                .withData("reason", "descriptors")
                .withData("limit", limit);
    }

    /** The lowest number that is free. */
    private long next() {
        try (Fd probe = PipeCalls.eventCounter()) {
            return probe.number();
        } catch (LinuxException e) {
            return Long.MAX_VALUE; // EMFILE, or ENFILE of the whole machine
        }
    }
}
