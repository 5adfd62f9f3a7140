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
 * Holds events until all before them are there, and finds out what the numbers stand for that no event came for
 * (docs/protocol.md, "Handshake and sessions"): one is the exit, the highest is the close, everything else is gone. Not thread safe: guarded by
 * the lock of {@link EventSequence}.
 */
final class Reorder {

    /** Pushed output that is held because something before it is missing, at most. */
    static final long MAX_PARKED_BYTES = 1 << 20;

    static final int MAX_PARKED_EVENTS = 4096;

    /**
     * Output that was read and is held because a number before it is missing. Answers are in order, so a number that they have
     * passed by so far is gone, whatever else the server says of it.
     */
    static final long MAX_PARKED_READ_BYTES = 4 << 20;

    /** Limit of the text that is kept of a server's reason for an end. */
    static final int MAX_REASON_CHARS = 4_096;

    /** What is known of the exit; whether the sandbox was to blame may come later. */
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

    /** Takes pushed output; false when there is no room for it. */
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

    /** A process closes once: what a server says of that later is not kept. */
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

    /** Takes the answer to a read behind {@link #cursor()}. */
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

    /** All that can be read was read, or reading was refused: what is not known now will not be. */
    void settle(boolean sandboxDenied) {
        exit = exit.map(known -> known.withDenied(sandboxDenied));
        closeSettled = closedWithoutNumber.isPresent();
        drain();
    }

    /** Number behind which nothing was read yet. */
    long cursor() {
        long contiguous = Math.max(last, readThrough);
        while (parked.containsKey(contiguous + 1)) {
            contiguous++;
        }
        return contiguous;
    }

    /** Number of the last event that was handed over. */
    long last() {
        return last;
    }

    /** Whether there are events that cannot be delivered because one before them has not come. */
    boolean hasHole() {
        return !parked.isEmpty() && parked.firstKey() > last + 1;
    }

    /** The exit when everything about it is known. */
    Optional<Exit> exit() {
        return exit.filter(known -> known.sandboxDenied().isPresent());
    }

    /** Whether it has exited and is not known whether the sandbox was to blame. */
    boolean exitIncomplete() {
        return exit.isPresent() && exit().isEmpty();
    }

    boolean finished() {
        return ready.finished();
    }

    /** Hands over what has its turn, as far as there is room. */
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
            case Gap _ -> ready.hasRoom(0);
            case Exited _ -> exit().isPresent();
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
            case Exited _ -> deliverExit(seq);
            case Closed closed -> {
                deliverExit(seq);
                ready.add(closed);
            }
            default -> ready.add(event);
        }
    }

    /** Once; also before a close, for an exit whose own number is among those that are gone. */
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
        parked.put(seq, new Exited(seq, 0, false, Optional.empty())); // a place holder, see deliverExit
    }

    /** Whether an event or a declared gap stands for this number. */
    private boolean known(long seq) {
        return seq <= last || lowestKnown(seq) <= seq;
    }

    /** The first number of what stands for {@code seq}: itself, or less inside of a gap; more when nothing does. */
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

    /** Explains every number up to {@code through} that no event stands for. */
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

    /** The highest number up to {@code through} that nothing stands for: output is evicted from its beginning. */
    private OptionalLong lastHole(long through) {
        long seq = through;
        while (seq > last && known(seq)) {
            seq = lowestKnown(seq) - 1;
        }
        return seq > last ? OptionalLong.of(seq) : OptionalLong.empty();
    }

    /** Declares all numbers below that nothing stands for to be gone. */
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
