package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the marks of one server. Marks need an unlimited RLIMIT_RTTIME: a finite limit is below them. A finite soft limit may
 * also be the mark of another server that started this one and must find its descendants. Any thread; lock-free.
 */
public final class ProcessMarks {
    /** Number of marks; they repeat after a billion processes. */
    private static final long RANGE = 1_000_000_000L;

    private static final long LOWEST_PREFIX = 100_000_000L;

    private final long prefix;
    private final Optional<String> unavailable;
    private final AtomicLong counter = new AtomicLong();

    ProcessMarks(long prefix, LimitCalls.Limit own) {
        this.prefix = prefix;
        this.unavailable = own.soft() == LimitCalls.UNLIMITED && own.hard() == LimitCalls.UNLIMITED
                ? Optional.empty()
                : Optional.of("process marks unavailable: RLIMIT_RTTIME of the server is limited (soft "
                        + Long.toUnsignedString(own.soft()) + ", hard " + Long.toUnsignedString(own.hard())
                        + " microseconds); a descendant that leaves its session can outlive a terminate");
    }

    /** Makes marks with a random prefix. */
    public static ProcessMarks create() {
        long prefix = LOWEST_PREFIX + new SecureRandom().nextLong(RANGE - LOWEST_PREFIX);
        return new ProcessMarks(prefix, LimitCalls.own(LimitCalls.RLIMIT_RTTIME));
    }

    /** Returns a new mark, or {@link ProcessMark#NONE} if marks are unavailable here. */
    public ProcessMark next() {
        return unavailable.isPresent()
                ? ProcessMark.NONE
                : new ProcessMark(prefix * RANGE + counter.getAndIncrement() % RANGE);
    }

    /** Returns the reason why this server cannot mark its processes; empty if it can. */
    public Optional<String> unavailable() {
        return unavailable;
    }

    /** Returns the nine digits with which every mark of this server begins. */
    public long prefix() {
        return prefix;
    }
}
