package dev.execserver.client.process;

import dev.execserver.client.process.ProcessEvent.Closed;
import dev.execserver.client.process.ProcessEvent.Exited;
import dev.execserver.client.process.ProcessEvent.Gap;
import dev.execserver.client.process.ProcessEvent.Output;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Holds events until all earlier ones are there. It also explains sequence numbers without an event (docs/protocol.md,
 * "Handshake and sessions"): one is the exit, the highest is the close, all others are lost output. Not thread safe:
 * guarded by the lock of {@link EventSequence}.
 */
final class Reorder {

    /** Limit of pushed output that is held because an earlier event is missing. */
    static final long MAX_PARKED_BYTES = 1 << 20;

    static final int MAX_PARKED_EVENTS = 4096;

    /**
     * Limit of read output that is held because an earlier number is missing. Answers are in order, so a number that
     * they have passed by this much is lost, whatever else the server reports about it.
     */
    static final long MAX_PARKED_READ_BYTES = 4 << 20;

    /** Limit of the text that is kept of a server's reason for an end. */
    static final int MAX_REASON_CHARS = 4_096;

    /** Known data of the exit. The sandbox's part in it may become known later. */
    record Exit(int code, Optional<Boolean> sandboxDenied, Optional<String> reason, ExitDetails details) {

        Exit withDenied(boolean denied) {
            return sandboxDenied.isPresent() ? this : new Exit(code, Optional.of(denied), reason, details);
        }
    }

    private final ServerTraits traits;
    private final ReadyQueue ready;
    private final TreeMap<Long, ProcessEvent> parked = new TreeMap<>();
    private long parkedBytes;
    private long last;
    private long readThrough;
    private Optional<Exit> exit = Optional.empty();
    private boolean exitNumbered;
    private boolean exitDelivered;
    private Optional<Closed> closedWithoutNumber = Optional.empty();
    private boolean closeNumbered;
    private boolean closeSettled;

    Reorder(long afterSeq, ServerTraits traits, ReadyQueue ready) {
        this.last = afterSeq;
        this.readThrough = afterSeq;
        this.traits = traits;
        this.ready = ready;
    }

    /** Takes pushed output. Returns false if there is no room for it. */
    boolean offer(OutputChunk chunk) {
        if (known(chunk.seq())) {
            return true;
        }
        boolean next = chunk.seq() == last + 1 && ready.hasRoom(chunk.length());
        if (!next && (parkedBytes + chunk.length() > MAX_PARKED_BYTES || parked.size() >= MAX_PARKED_EVENTS)) {
            return false;
        }
        park(chunk);
        drain();
        return true;
    }

    void exited(ExitedNotification pushed) {
        if (exitDelivered) {
            return;
        }
        Optional<Boolean> denied = pushed.sandboxDenied().or(() -> exit.flatMap(Exit::sandboxDenied));
        exit = Optional.of(
                new Exit(pushed.exitCode(), denied, pushed.reason().map(Reorder::beginning), pushed.details()));
        if (!known(pushed.seq()) && !exitNumbered) {
            parkExit(pushed.seq());
        }
        drain();
    }

    /** Takes the pushed close. A process closes once, so later closes are ignored. */
    void closed(ClosedNotification pushed) {
        if (pushed.seq().isEmpty()) {
            closedWithoutNumber = closedWithoutNumber.or(
                    () -> Optional.of(new Closed(pushed.reason().map(Reorder::beginning))));
        } else if (!closeNumbered && !known(pushed.seq().getAsLong())) {
            closeNumbered = true;
            parked.put(pushed.seq().getAsLong(), new Closed(pushed.reason().map(Reorder::beginning)));
        }
        drain();
    }

    /** Takes the answer to a read after {@link #cursor()}. */
    void merge(ReadResult result) {
        for (OutputChunk chunk : result.chunks()) {
            if (!known(chunk.seq())) {
                park(chunk);
            }
            readThrough = Math.max(readThrough, chunk.seq());
        }
        learnExit(result);
        boolean complete = result.chunks().isEmpty();
        if (!complete && result.dropped().isPresent()) {
            giveUpBefore(result.dropped().get().firstSeq(), droppedBytes(result));
        }
        drain();
        if (complete || traits.declaresDrops()) {
            explain(complete ? result.nextSeq() - 1 : readThrough, result, complete);
            drain();
        }
        if (complete) {
            settle(result.sandboxDenied());
        }
        boundParked();
    }

    private void boundParked() {
        while (hasHole() && (parkedBytes > MAX_PARKED_READ_BYTES || parked.size() > MAX_PARKED_EVENTS)) {
            giveUpBefore(parked.firstKey(), OptionalLong.empty());
            drain();
        }
    }

    private static String beginning(String reason) {
        return reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS) + "...";
    }

    /** Stops waiting for details: everything readable was read, or reading was refused. */
    void settle(boolean sandboxDenied) {
        exit = exit.map(known -> known.withDenied(sandboxDenied));
        closeSettled = closedWithoutNumber.isPresent();
        drain();
    }

    /** Returns the number after which nothing was read yet. */
    long cursor() {
        long contiguous = Math.max(last, readThrough);
        while (parked.containsKey(contiguous + 1)) {
            contiguous++;
        }
        return contiguous;
    }

    /** Returns the number of the last delivered event. */
    long last() {
        return last;
    }

    /** Returns true if events cannot be delivered because an earlier one is missing. */
    boolean hasHole() {
        return !parked.isEmpty() && parked.firstKey() > last + 1;
    }

    /** Returns the exit, if everything about it is known. */
    Optional<Exit> exit() {
        return exit.filter(known -> known.sandboxDenied().isPresent());
    }

    /** Returns true if the process has exited and it is not known if the sandbox was the cause. */
    boolean exitIncomplete() {
        return exit.isPresent() && exit().isEmpty();
    }

    boolean finished() {
        return ready.finished();
    }

    /** Delivers the events whose turn it is, as far as there is room. */
    void drain() {
        for (Map.Entry<Long, ProcessEvent> next = parked.firstEntry();
                next != null && next.getKey() == last + 1 && deliverable(next.getValue());
                next = parked.firstEntry()) {
            parked.pollFirstEntry();
            deliver(next.getKey(), next.getValue());
        }
        if (closeSettled && parked.isEmpty() && !finished()) {
            deliverExit(last + 1);
            ready.add(closedWithoutNumber.orElseThrow());
        }
    }

    private boolean deliverable(ProcessEvent event) {
        return switch (event) {
            case Output output -> ready.hasRoom(output.chunk().length());
            case Gap unused -> ready.hasRoom(0);
            case Exited unused -> exit().isPresent();
            default -> true;
        };
    }

    private void deliver(long seq, ProcessEvent event) {
        last = event instanceof Gap gap ? gap.toSeq() : seq;
        switch (event) {
            case Output output -> {
                parkedBytes -= output.chunk().length();
                ready.add(output);
            }
            case Exited unused -> deliverExit(seq);
            case Closed closed -> {
                deliverExit(seq);
                ready.add(closed);
            }
            default -> ready.add(event);
        }
    }

    /** Delivers the exit, once. A close also delivers it, in case the exit's own number is among the lost ones. */
    private void deliverExit(long seq) {
        if (!exitDelivered && exit.isPresent()) {
            exitDelivered = true;
            Exit known = exit.get();
            ready.add(new Exited(
                    seq, known.code(), known.sandboxDenied().orElse(false), known.reason(), known.details()));
        }
    }

    private void park(OutputChunk chunk) {
        parked.put(chunk.seq(), new Output(chunk));
        parkedBytes += chunk.length();
    }

    private void parkExit(long seq) {
        exitNumbered = true;
        parked.put(seq, new Exited(seq, 0, false, Optional.empty())); // a placeholder, see deliverExit
    }

    /** Returns true if an event or a declared gap covers this number. */
    private boolean known(long seq) {
        return seq <= last || lowestKnown(seq) <= seq;
    }

    /** Returns the first number of the event or gap that covers {@code seq}, or {@code seq + 1} if none does. */
    private long lowestKnown(long seq) {
        Map.Entry<Long, ProcessEvent> at = parked.floorEntry(seq);
        boolean covered =
                at != null && (at.getKey() == seq || (at.getValue() instanceof Gap gap && gap.toSeq() >= seq));
        return covered ? at.getKey() : seq + 1;
    }

    private void learnExit(ReadResult result) {
        if (result.exited() && exit.isEmpty()) {
            exit = Optional.of(new Exit(
                    result.exitCode().orElse(-1),
                    Optional.empty(),
                    result.reason().map(Reorder::beginning),
                    result.details()));
        }
        if (result.exited()) {
            exit = exit.map(known -> known.withDenied(result.sandboxDenied()));
        }
    }

    /** Explains every number up to {@code through} that has no event. */
    private void explain(long through, ReadResult result, boolean complete) {
        readThrough = Math.max(readThrough, through);
        if (complete && result.closed()) {
            learnClose(through);
        }
        if (exit.isPresent() && !exitNumbered) {
            lastHole(through).ifPresent(this::parkExit);
        }
        giveUpBefore(through + 1, complete ? droppedBytes(result) : OptionalLong.empty());
    }

    private static OptionalLong droppedBytes(ReadResult result) {
        return result.dropped().isPresent()
                ? OptionalLong.of(result.dropped().get().bytes())
                : OptionalLong.empty();
    }

    private void learnClose(long highest) {
        if (!traits.numbersClose()) {
            closedWithoutNumber = closedWithoutNumber.or(() -> Optional.of(new Closed(Optional.empty())));
        } else if (!known(highest)) {
            parked.put(highest, new Closed(Optional.empty()));
        }
    }

    /**
     * Returns the highest number up to {@code through} that has no event. It must be the exit's: output is dropped from
     * its beginning.
     */
    private OptionalLong lastHole(long through) {
        long seq = through;
        while (seq > last && known(seq)) {
            seq = lowestKnown(seq) - 1;
        }
        return seq > last ? OptionalLong.of(seq) : OptionalLong.empty();
    }

    /** Declares all earlier numbers without an event to be lost. */
    private void giveUpBefore(long firstSeq, OptionalLong bytes) {
        OptionalLong declared = bytes;
        long from = last + 1;
        while (from < firstSeq) {
            Map.Entry<Long, ProcessEvent> next = parked.ceilingEntry(from);
            long end = Math.min(firstSeq, next == null ? firstSeq : next.getKey());
            if (from < end) {
                parked.put(from, new Gap(from, end - 1, declared));
                declared = OptionalLong.empty();
            }
            from = next != null && next.getValue() instanceof Gap gap ? gap.toSeq() + 1 : end + 1;
        }
    }
}
