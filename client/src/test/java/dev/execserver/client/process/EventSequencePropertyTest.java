package dev.execserver.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeProcess;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputNotification;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.StreamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Pushed events in any order, with any repetition and loss: the consumer sees every event once, in order. */
class EventSequencePropertyTest {

    @Property(tries = 1500)
    void everyEventComesOnceAndInOrder(@ForAll long seed, @ForAll Era era) throws InterruptedException {
        Run run = new Run(seed, era, false);
        List<ProcessEvent> seen = run.play();
        StringBuilder text = new StringBuilder();
        int exits = 0;
        for (ProcessEvent event : seen) {
            switch (event) {
                case ProcessEvent.Output output -> text.append(new String(output.bytes()));
                case ProcessEvent.Exited exited -> {
                    exits++;
                    assertThat(exited.exitCode()).isEqualTo(7);
                    assertThat(exited.sandboxDenied()).isTrue();
                    assertThat(exited.seq()).isEqualTo(run.exitSeq);
                }
                default -> assertThat(event).isInstanceOf(ProcessEvent.Closed.class);
            }
        }
        assertThat(text.toString()).isEqualTo(run.written.toString());
        assertThat(exits).isEqualTo(1);
        assertThat(seen.getLast()).isInstanceOf(ProcessEvent.Closed.class);
    }

    @Property(tries = 1500)
    void whatTheServerHasDroppedIsDeclared(@ForAll long seed, @ForAll Era era) throws InterruptedException {
        Run run = new Run(seed, era, true);
        List<ProcessEvent> seen = run.play();
        long outputs = 0;
        long missing = 0;
        long last = 0;
        for (ProcessEvent event : seen) {
            switch (event) {
                case ProcessEvent.Output output -> {
                    assertThat(output.seq()).isGreaterThan(last);
                    last = output.seq();
                    outputs++;
                }
                case ProcessEvent.Gap gap -> {
                    assertThat(gap.fromSeq()).isGreaterThan(last);
                    last = gap.toSeq();
                    missing += gap.toSeq() - gap.fromSeq() + 1;
                }
                default -> {}
            }
        }
        // The number of the exit may lie in a gap if all numbers around it are lost.
        assertThat(outputs + missing).isBetween((long) run.outputs, run.outputs + 1L);
        assertThat(seen.getLast()).isInstanceOf(ProcessEvent.Closed.class);
        assertThat(seen).filteredOn(ProcessEvent.Exited.class::isInstance).hasSize(1);
    }

    /** One process, its server and its consumer, driven by a random sequence of steps on one thread. */
    private static final class Run {
        private final Random random;
        private final Era era;
        private final boolean evicting;
        private final FakeProcess process;
        private final EventSequence events;
        private final List<FakeProcess.Pushed> inFlight = new ArrayList<>();
        private final List<ProcessEvent> seen = new ArrayList<>();
        private final StringBuilder written = new StringBuilder();
        private final boolean polled;
        private int outputs;
        private int toWrite;
        private int exitAfter;
        private long exitSeq;
        private boolean closed;

        Run(long seed, Era era, boolean evicting) {
            this.random = new Random(seed);
            this.era = era;
            this.evicting = evicting;
            this.process = new FakeProcess("p", era);
            this.polled = era == Era.OURS && random.nextBoolean();
            this.events = new EventSequence(
                    0, new ServerTraits(polled, era == Era.OURS, era != Era.A), 16 + random.nextInt(100));
            this.toWrite = random.nextInt(40);
            this.exitAfter = random.nextInt(toWrite + 1);
        }

        List<ProcessEvent> play() throws InterruptedException {
            while (!closed) {
                step();
            }
            // The consumer catches up. Events in flight are lost with the connection, or arrive.
            boolean arrives = random.nextBoolean();
            while (arrives && !inFlight.isEmpty()) {
                arrive();
            }
            events.missed();
            for (int i = 0; i < 2_000 && !events.exhausted(); i++) {
                read();
                consume();
            }
            assertThat(events.exhausted()).as("the events end").isTrue();
            return seen;
        }

        private void step() throws InterruptedException {
            switch (random.nextInt(8)) {
                case 0, 1 -> happen();
                case 2, 3 -> arrive();
                case 4, 5 -> consume();
                case 6 -> read();
                default -> mishap();
            }
        }

        private void happen() {
            FakeProcess.Pushed event;
            if (exitSeq == 0 && outputs == exitAfter) {
                exitSeq = outputs + 1;
                event = process.exit(7, true);
            } else if (outputs < toWrite) {
                String text = outputs++ + "x".repeat(random.nextInt(20)) + ";";
                written.append(text);
                event = process.output(random.nextBoolean() ? StreamKind.STDOUT : StreamKind.STDERR, text);
            } else {
                closed = true;
                event = process.close();
            }
            inFlight.add(event);
        }

        private void arrive() {
            if (!inFlight.isEmpty()) {
                int index = random.nextInt(inFlight.size());
                // A close without a number always comes last.
                offer(random.nextInt(4) > 0 ? inFlight.remove(index) : inFlight.get(index));
            }
        }

        private void offer(FakeProcess.Pushed event) {
            switch (event.params()) {
                case OutputNotification output -> events.offer(output.chunk());
                case ExitedNotification exited -> events.offer(exited);
                case ClosedNotification end -> events.offer(end);
                default -> throw new IllegalStateException();
            }
        }

        private void consume() throws InterruptedException {
            Optional<ProcessEvent> event = events.take(0);
            event.ifPresent(seen::add);
        }

        private void read() throws InterruptedException {
            if (events.readingDue() && events.awaitReading(1)) {
                long maxBytes = random.nextInt(60);
                events.merge(process.read(new ReadParams("p", events.cursor(), OptionalLong.of(maxBytes), 0)));
            }
        }

        private void mishap() {
            if (evicting && random.nextBoolean()) {
                process.keep(random.nextInt(10));
            } else if (random.nextInt(3) == 0) {
                inFlight.clear();
                events.missed();
            }
        }
    }
}
