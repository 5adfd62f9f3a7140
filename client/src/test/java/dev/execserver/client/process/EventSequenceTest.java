package dev.execserver.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StreamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventSequenceTest {

    private static final ServerTraits PUSHED = new ServerTraits(false, false, true);
    private static final ServerTraits POLLED = new ServerTraits(true, true, true);

    private final EventSequence pushed = new EventSequence(0, PUSHED, 1 << 20);

    @Test
    void exitBeforeTheLastOutputIsDeliveredWhereItsNumberIs() throws InterruptedException {
        pushed.offer(new ExitedNotification("p", 2, 3, false));
        assertThat(pushed.outcomeNow()).contains(new Outcome.Exited(3, Optional.empty()));
        pushed.offer(new ClosedNotification("p", 4));
        pushed.offer(chunk(3, "late"));
        assertThat(taken(pushed)).isEmpty();
        pushed.offer(chunk(1, "early"));
        assertThat(taken(pushed)).containsExactly("early", "exit 3", "late", "closed");
        assertThat(pushed.exhausted()).isTrue();
    }

    @Test
    void aDenialBySandboxIsAnOutcomeOfItsOwn() {
        pushed.offer(new ExitedNotification("p", 1, 1, true));
        assertThat(pushed.outcomeNow()).contains(new Outcome.SandboxDenied(1));
    }

    @Test
    void anExitThatDoesNotSayWhetherTheSandboxWasToBlameIsAskedFor() throws InterruptedException {
        pushed.offer(new ExitedNotification("p", 1, 1, Optional.empty(), Optional.empty()));
        assertThat(pushed.outcomeNow()).isEmpty();
        assertThat(pushed.readingDue()).isTrue();
        pushed.awaitReading(1);
        pushed.merge(read(List.of(), 2, OptionalInt.of(1), false, true));
        assertThat(pushed.outcomeNow()).contains(new Outcome.SandboxDenied(1));
        assertThat(taken(pushed)).containsExactly("exit 1");
    }

    @Test
    void aRefusedQuestionAboutTheExitDoesNotLoseTheProcess() throws InterruptedException {
        pushed.offer(new ExitedNotification("p", 1, 1, Optional.empty(), Optional.empty()));
        pushed.refused("no");
        pushed.offer(new ClosedNotification("p", 2));
        assertThat(taken(pushed)).containsExactly("exit 1", "closed");
    }

    @Test
    void outputThatDoesNotFitIsReadAgainWhenThereIsRoom() throws InterruptedException {
        EventSequence small = new EventSequence(0, PUSHED, 4);
        int tooMany = Reorder.MAX_PARKED_EVENTS + 10;
        for (int seq = 1; seq <= tooMany; seq++) {
            small.offer(chunk(seq, "abcd"));
        }
        assertThat(small.readingDue()).as("full").isFalse();
        List<String> seen = new ArrayList<>();
        while (seen.size() < tooMany) {
            seen.addAll(taken(small));
            assertThat(small.readingDue()).isTrue();
            small.awaitReading(1);
            List<OutputChunk> rest = new ArrayList<>();
            for (long seq = small.cursor() + 1; seq <= tooMany; seq++) {
                rest.add(chunk(seq, "abcd"));
            }
            small.merge(read(rest, tooMany + 1L, OptionalInt.empty(), false, false));
        }
        assertThat(seen).hasSize(tooMany).containsOnly("abcd");
    }

    @Test
    void aNumberThatDoesNotComeByItselfIsReadFor() throws InterruptedException {
        pushed.offer(chunk(2, "b"));
        assertThat(pushed.readingDue()).isFalse();
        assertThat(pushed.awaitReading(1)).isTrue();
        pushed.merge(read(List.of(chunk(1, "a"), chunk(2, "b")), 3, OptionalInt.empty(), false, false));
        assertThat(taken(pushed)).containsExactly("a", "b");
    }

    @Test
    void oneMissingNumberBeforeRetainedOutputIsNotTakenForTheExitTooEarly() throws InterruptedException {
        pushed.missed();
        pushed.awaitReading(1);
        pushed.merge(read(List.of(chunk(2, "b")), 3, OptionalInt.of(0), true, false));
        assertThat(taken(pushed)).isEmpty();
        pushed.awaitReading(1);
        pushed.merge(read(List.of(), 5, OptionalInt.of(0), true, false));
        assertThat(taken(pushed)).containsExactly("gap 1-1", "b", "exit 0", "closed");
    }

    @Test
    void declaredDropsAreGapsWithTheirSize() throws InterruptedException {
        EventSequence polled = new EventSequence(0, POLLED, 1 << 20);
        ReadResult result = new ReadResult(
                List.of(chunk(5, "e")),
                6,
                false,
                OptionalInt.empty(),
                false,
                Optional.empty(),
                false,
                Optional.of(new ReadResult.Dropped(5, 400)));
        polled.merge(result);
        assertThat(polled.take()).contains(new ProcessEvent.Gap(1, 4, OptionalLong.of(400)));
        assertThat(taken(polled)).containsExactly("e");
    }

    @Test
    void whatWasPushedIsIgnoredWhereEverythingIsRead() throws InterruptedException {
        EventSequence polled = new EventSequence(0, POLLED, 1 << 20);
        polled.offer(chunk(1, "pushed"));
        assertThat(taken(polled)).isEmpty();
        polled.merge(read(List.of(chunk(1, "read")), 2, OptionalInt.empty(), false, false));
        assertThat(taken(polled)).containsExactly("read");
    }

    @Test
    void aSlowConsumerStopsTheReading() throws InterruptedException {
        EventSequence polled = new EventSequence(0, POLLED, 4);
        polled.merge(read(List.of(chunk(1, "abcd"), chunk(2, "efgh")), 3, OptionalInt.empty(), false, false));
        assertThat(polled.readingDue()).isFalse();
        assertThat(polled.take()).isPresent();
        assertThat(polled.readingDue()).isFalse();
        assertThat(polled.take()).isPresent();
        assertThat(polled.readingDue()).isTrue();
    }

    @Test
    void whatIsInOrderIsDeliveredBeforeTheLoss() throws InterruptedException {
        pushed.offer(chunk(1, "a"));
        pushed.lose("gone");
        pushed.offer(chunk(2, "b"));
        assertThat(taken(pushed)).containsExactly("a", "lost gone");
        assertThat(pushed.outcomeNow()).contains(new Outcome.Lost("gone"));
        assertThat(pushed.awaitReading(1)).isFalse();
    }

    @Test
    void aFailureThatTheServerReportsLosesTheProcess() throws InterruptedException {
        pushed.merge(new ReadResult(
                List.of(), 1, false, OptionalInt.empty(), false, Optional.of("disk"), false, Optional.empty()));
        assertThat(taken(pushed)).containsExactly("lost the server reports: disk");
    }

    @Test
    void c105_aProcessClosesOnceWhateverTheServerSaysLater() throws InterruptedException {
        for (long seq = 1_000; seq < 3_000; seq++) {
            pushed.offer(new ClosedNotification("p", OptionalLong.of(seq), Optional.of("r".repeat(10_000))));
        }
        List<OutputChunk> before = new ArrayList<>();
        for (long seq = 1; seq < 1_000; seq++) {
            before.add(chunk(seq, "x"));
        }
        pushed.merge(read(before, 1_000, OptionalInt.empty(), false, false));
        List<ProcessEvent> events = new ArrayList<>();
        for (var event = pushed.poll(); event.isPresent(); event = pushed.poll()) {
            events.add(event.get());
        }
        assertThat(events).hasSize(1_000);
        assertThat(events.getLast())
                .isInstanceOfSatisfying(
                        ProcessEvent.Closed.class,
                        closed -> assertThat(closed.reason().orElseThrow()).hasSize(Reorder.MAX_REASON_CHARS + 3));
    }

    @Test
    void c105_numbersThatEveryReadPassesByAreGone() throws InterruptedException {
        byte[] mebibyte = new byte[1 << 20];
        long limit = Reorder.MAX_PARKED_READ_BYTES;
        long parked = 0;
        for (long seq = 4; parked < limit; seq += 2) {
            pushed.merge(read(
                    List.of(new OutputChunk(seq, StreamKind.STDOUT, mebibyte)),
                    seq + 1,
                    OptionalInt.empty(),
                    false,
                    false));
            parked += mebibyte.length;
        }
        assertThat(pushed.poll()).as("at the bound").isEmpty();

        pushed.merge(read(List.of(chunk(100, "x")), 101, OptionalInt.empty(), false, false));

        assertThat(pushed.poll()).contains(new ProcessEvent.Gap(1, 3, OptionalLong.empty()));
        assertThat(pushed.poll()).containsInstanceOf(ProcessEvent.Output.class);
    }

    @Test
    void c105_eventsWithoutBytesDoNotWaitInAnyNumber() throws InterruptedException {
        List<OutputChunk> empty = new ArrayList<>();
        for (long seq = 1; seq <= ReadyQueue.MAX_EVENTS + 1; seq++) {
            empty.add(chunk(seq, ""));
        }
        pushed.merge(read(empty, empty.size() + 1L, OptionalInt.empty(), false, false));
        pushed.missed();
        assertThat(pushed.lastDelivered()).isEqualTo(ReadyQueue.MAX_EVENTS);
        assertThat(pushed.readingDue()).isFalse();
        assertThat(taken(pushed)).hasSize(empty.size());
        assertThat(pushed.readingDue()).isTrue();
    }

    private static OutputChunk chunk(long seq, String text) {
        return new OutputChunk(seq, StreamKind.STDOUT, text.getBytes());
    }

    private static ReadResult read(
            List<OutputChunk> chunks, long nextSeq, OptionalInt exitCode, boolean closed, boolean denied) {
        return new ReadResult(
                chunks, nextSeq, exitCode.isPresent(), exitCode, closed, Optional.empty(), denied, Optional.empty());
    }

    private static List<String> taken(EventSequence events) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        for (var event = events.take(0); event.isPresent(); event = events.take(0)) {
            seen.add(
                    switch (event.get()) {
                        case ProcessEvent.Output output -> new String(output.bytes());
                        case ProcessEvent.Exited exited -> "exit " + exited.exitCode();
                        case ProcessEvent.Closed unused -> "closed";
                        case ProcessEvent.Gap gap -> "gap " + gap.fromSeq() + "-" + gap.toSeq();
                        case ProcessEvent.Lost lost -> "lost " + lost.reason();
                    });
        }
        return seen;
    }
}
