package dev.execserver.cli.client;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Sum of the gaps in the output of a remote program: one line, however many a server leaves. Any thread. */
final class LostOutput {
    private final AtomicLong gaps = new AtomicLong();
    private final AtomicLong withoutSize = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** @param dropped bytes of the gap, if the server says how many */
    void add(OptionalLong dropped) {
        if (dropped.isPresent()) {
            long _ = bytes.accumulateAndGet(Math.max(0, dropped.getAsLong()), LostOutput::sum);
        } else {
            long _ = withoutSize.incrementAndGet();
        }
        long _ = gaps.incrementAndGet();
    }

    /** Returns the line about the gaps since the last call; empty without any. */
    Optional<String> take() {
        long count = gaps.getAndSet(0);
        if (count == 0) {
            return Optional.empty();
        }
        boolean known = withoutSize.getAndSet(0) == 0;
        long sum = bytes.getAndSet(0);
        String what = known
                ? sum + " bytes of output are lost"
                : sum == 0 ? "some output is lost" : sum + " bytes of output and more are lost";
        return Optional.of(count == 1 ? what : what + " in " + count + " places");
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
