package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CallLineTest {
    private final AtomicInteger busyLines = new AtomicInteger();
    private final List<Integer> started = new ArrayList<>();
    private final CallLine line = new CallLine(busyLines);

    private void enter(int calls) {
        for (int i = 0; i < calls; i++) {
            int call = i;
            line.enter(() -> started.add(call));
        }
    }

    @Test
    void soManyRunAtOnceAndTheOthersFollowInTheOrderOfTheirArrival() {
        enter(CallLine.AT_ONCE + 3);
        assertThat(started).hasSize(CallLine.AT_ONCE);
        line.ended();
        line.ended();
        assertThat(started).hasSize(CallLine.AT_ONCE + 2).isSorted();
    }

    @Test
    void withManyConnectionsEachHasOne() {
        List<CallLine> others = Stream.generate(() -> new CallLine(busyLines))
                .limit(2L * CallLine.OF_ALL)
                .toList();
        others.forEach(other -> other.enter(() -> true));
        enter(3);
        assertThat(started).containsExactly(0);
        line.ended();
        assertThat(started).containsExactly(0, 1);

        others.forEach(CallLine::ended);
        line.ended();
        enter(CallLine.AT_ONCE);
        assertThat(started).as("all at once again").hasSize(3 + CallLine.AT_ONCE - 1);
    }

    @Test
    void aCallThatCannotBeStartedKeepsNobodyWaiting() {
        for (int i = 0; i < 3 * CallLine.AT_ONCE; i++) {
            line.enter(() -> false);
        }
        enter(CallLine.AT_ONCE);
        assertThat(started).hasSize(CallLine.AT_ONCE);
        for (int i = 0; i < CallLine.AT_ONCE; i++) {
            line.ended();
        }
        assertThat(busyLines).hasValue(0);
    }

    @Test
    void callsThatFailWhileOthersWaitAreAllTried() {
        enter(CallLine.AT_ONCE);
        AtomicInteger tried = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            line.enter(() -> tried.incrementAndGet() < 0);
        }
        line.ended();
        assertThat(tried).hasValue(3);
    }
}
