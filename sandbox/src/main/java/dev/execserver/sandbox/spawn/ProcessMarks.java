package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out the marks of one server. Marks need an unlimited RLIMIT_RTTIME: under a finite one they would be out of reach,
 * and a finite soft one may be the mark of another server that started this one and must find its descendants. Any thread;
 * lock-free.
 */
public final class ProcessMarks {
    /** A server would have to start a billion processes to repeat itself. */
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

    /** Marks with a random prefix. */
    public static ProcessMarks create() {
        long prefix = LOWEST_PREFIX + new SecureRandom().nextLong(RANGE - LOWEST_PREFIX);
        return new ProcessMarks(prefix, LimitCalls.own(LimitCalls.RLIMIT_RTTIME));
    }

    /** A new mark, or {@link ProcessMark#NONE} when they are unavailable here. */
    public ProcessMark next() {
        return unavailable.isPresent()
                ? ProcessMark.NONE
                : new ProcessMark(prefix * RANGE + counter.getAndIncrement() % RANGE);
    }

    /** Why this server cannot mark its processes, in words; empty when it can. */
    public Optional<String> unavailable() {
        return unavailable;
    }

    /** Nine digits that every mark of this server begins with. */
    public long prefix() {
        return prefix;
    }
}
