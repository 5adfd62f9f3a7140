package dev.execserver.client.process;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.protocol.environment.Capability;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputNotification;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.StartResult;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.Notification;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Handles of a client's processes. Gives each one the events that were pushed for it, on the reader thread of the
 * connection.
 */
public final class ProcessRegistry implements LinkListener {

    private final Map<String, EventSequence> sequences = new ConcurrentHashMap<>();

    /**
     * Starts a process and returns its handle.
     *
     * @param defaultCwd working directory if the spec names none
     * @throws IllegalArgumentException when there is already a handle for this id
     * @throws ConnectionLostException when the answer was lost; the process is ended as soon as there is a connection
     */
    public RemoteProcess start(ProcessMethods methods, ProcessSpec wanted, PathUri defaultCwd)
            throws InterruptedException {
        ProcessSpec spec = wanted.identified();
        if (spec.hasNetworkProxy()) {
            // A server that does not know the proxy would start the process without it.
            methods.requireCapability(Capability.NETWORK_PROXY_LAUNCH);
            if (spec.hasTransparentTcp()) {
                methods.requireCapability(Capability.NETWORK_PROXY_TRANSPARENT_TCP);
            }
        }
        boolean polled = methods.traits().polled();
        String id = spec.processId();
        EventSequence events = register(id, methods, 0, spec.bufferBytes());
        boolean started = false;
        try {
            StartResult result = methods.start(spec.params(defaultCwd, !polled));
            started = true;
            return handle(id, methods, events, Optional.of(result.sandboxType()), spec.redirectsErrorStream());
        } catch (RequestTimeoutException | ConnectionLostException | InterruptedException e) {
            methods.terminateLater(id);
            throw e;
        } finally {
            if (!started) {
                sequences.remove(id, events);
            }
        }
    }

    /**
     * Makes a handle for a process of the session that another client has started.
     *
     * @param afterSeq events up to this number are skipped; 0 for everything that the server has kept
     * @throws RequestFailedException never; an unknown process shows as {@link ProcessEvent.Lost}
     */
    public RemoteProcess attach(ProcessMethods methods, String id, long afterSeq, int bufferBytes) {
        EventSequence events = register(id, methods, afterSeq, bufferBytes);
        events.missed();
        return handle(id, methods, events, Optional.empty(), false);
    }

    void forget(String id, EventSequence events) {
        sequences.remove(id, events);
    }

    private EventSequence register(String id, ProcessMethods methods, long afterSeq, int bufferBytes) {
        EventSequence events = new EventSequence(afterSeq, methods.traits(), bufferBytes);
        sequences.values().removeIf(EventSequence::finished);
        if (sequences.putIfAbsent(id, events) != null) {
            throw new IllegalArgumentException("there is a handle for process " + id + " already");
        }
        return events;
    }

    private RemoteProcess handle(
            String id,
            ProcessMethods methods,
            EventSequence events,
            Optional<SandboxType> sandboxType,
            boolean merged) {
        OutputFeed.start(id, methods, events, methods.traits().polled());
        return new RemoteProcess(id, methods, events, sandboxType, merged, () -> forget(id, events));
    }

    @Override
    public void notified(Notification notification) {
        switch (notification.method()) {
            case ProcessMethodNames.OUTPUT -> {
                OutputNotification output = OutputNotification.read(notification.params(), Dialect.OPEN);
                find(output.processId()).ifPresent(events -> events.offer(output.chunk()));
            }
            case ProcessMethodNames.EXITED -> {
                ExitedNotification exited = ExitedNotification.read(notification.params(), Dialect.OPEN);
                find(exited.processId()).ifPresent(events -> events.offer(exited));
            }
            case ProcessMethodNames.CLOSED -> {
                ClosedNotification closed = ClosedNotification.read(notification.params(), Dialect.OPEN);
                find(closed.processId()).ifPresent(events -> events.offer(closed));
            }
            default -> {} // notifications that this client does not use
        }
    }

    @Override
    public void interrupted() {
        // Handles wait; events that they miss are read after the session is resumed.
    }

    @Override
    public void resumed() {
        sequences.values().forEach(EventSequence::missed);
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        ConnectionLostException reason = why.get();
        sequences.values().forEach(events -> events.lose(reason));
        sequences.clear();
    }

    private Optional<EventSequence> find(String id) {
        return Optional.ofNullable(sequences.get(id));
    }
}
