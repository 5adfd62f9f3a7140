package dev.execserver.client.process;

import java.util.ArrayDeque;
import java.util.Optional;

/** Events in order that wait for the consumer. Not thread safe: guarded by the lock of {@link EventSequence}. */
final class ReadyQueue {

    /** Events that may wait, however short they are. */
    static final int MAX_EVENTS = 16_384;

    private final ArrayDeque<ProcessEvent> events = new ArrayDeque<>();
    private final int capacityBytes;
    private long bytes;
    private boolean discarding;
    private boolean unbounded;
    private boolean finished;

    ReadyQueue(int capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    /** Whether output of this length may be added; a single piece always fits into an empty queue. */
    boolean hasRoom(int length) {
        return discarding || unbounded || events.size() < MAX_EVENTS && (bytes == 0 || bytes + length <= capacityBytes);
    }

    /** Whether it pays to ask for more. */
    boolean halfEmpty() {
        return bytes <= capacityBytes / 2 && events.size() <= MAX_EVENTS / 2;
    }

    void add(ProcessEvent event) {
        if (discarding) {
            finished |= event instanceof ProcessEvent.Closed || event instanceof ProcessEvent.Lost;
            return;
        }
        switch (event) {
            case ProcessEvent.Output output -> addOutput(output);
            case ProcessEvent.Exited exited -> events.add(exited);
            case ProcessEvent.Gap gap -> events.add(gap);
            case ProcessEvent.Closed closed -> addLast(closed);
            case ProcessEvent.Lost lost -> addLast(lost);
        }
    }

    private void addOutput(ProcessEvent.Output output) {
        events.add(output);
        bytes += output.chunk().length();
    }

    private void addLast(ProcessEvent event) {
        events.add(event);
        finished = true;
    }

    Optional<ProcessEvent> poll() {
        Optional<ProcessEvent> event = Optional.ofNullable(events.poll());
        if (event.isPresent() && event.get() instanceof ProcessEvent.Output output) {
            bytes -= output.chunk().length();
        }
        return event;
    }

    /** What is in memory already may be added whatever its size. */
    void takeAll() {
        unbounded = true;
    }

    void discardOutput() {
        discarding = true;
        events.clear();
        bytes = 0;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Whether the last event was added. */
    boolean finished() {
        return finished;
    }
}
