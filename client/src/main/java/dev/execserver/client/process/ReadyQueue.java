package dev.execserver.client.process;

import java.util.ArrayDeque;
import java.util.Optional;

/** Events in order that wait for the consumer. Not thread safe: guarded by the lock of {@link EventSequence}. */
final class ReadyQueue {

    /** Limit of waiting events, however short they are. */
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

    /** Returns true if output of this length may be added; any single piece fits into an empty queue. */
    boolean hasRoom(int length) {
        return discarding || unbounded || events.size() < MAX_EVENTS && (bytes == 0 || bytes + length <= capacityBytes);
    }

    /** Returns true if enough room is free that a read is worthwhile. */
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

    /** Removes the limits, for events that are already in memory. */
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

    /** Returns true if the last event was added. */
    boolean finished() {
        return finished;
    }
}
