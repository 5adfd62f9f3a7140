package dev.execserver.server.proxy;

import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.Ruling;
import dev.execserver.server.rules.ConnectingProgram;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Outcome and byte counts of one request, for the log. The two threads of its connection enter. */
final class Exchange {

    private final ProxyDestination target;
    private final long begunNanos = System.nanoTime();
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private volatile String rule = "-";
    private volatile String outcome = "broken";
    private volatile boolean refused;

    Exchange(ProxyDestination target) {
        this.target = target;
    }

    ProxyDestination target() {
        return target;
    }

    /** Returns the path of the program that connects, as its sandbox sees it. */
    Optional<String> program() {
        return target.program().map(ConnectingProgram::path);
    }

    void ruled(Ruling ruling) {
        rule = ruling.rule();
        refused = ruling instanceof Ruling.Refused;
        switch (ruling) {
            case Ruling.Permitted _ -> {}
            case Ruling.Unknown unknown -> outcome = "unreachable: " + unknown.why();
            case Ruling.Refused refused ->
                outcome = refused.refusal().decision() + " by "
                        + refused.refusal().source() + ": " + refused.refusal().reason();
        }
    }

    void ended(String how) {
        outcome = how;
    }

    void countSent(long bytes) {
        sent.add(bytes);
    }

    void countReceived(long bytes) {
        received.add(bytes);
    }

    boolean refused() {
        return refused;
    }

    String rule() {
        return rule;
    }

    String outcome() {
        return outcome;
    }

    long sent() {
        return sent.sum();
    }

    long received() {
        return received.sum();
    }

    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    }
}
