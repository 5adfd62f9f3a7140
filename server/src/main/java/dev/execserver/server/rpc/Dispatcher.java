package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.ErrorResponse;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.Response;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.MessageTooLargeException;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.codec.Utf8Validator;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages of each connection and starts a virtual thread for each request.
 *
 * <p>{@link #serve} is the body of a connection's reader thread. The thread parses, reserves and queues. It also runs
 * two things itself: the handshake, because everything after it depends on it, and calls whose answer is ready, because
 * waking another thread costs more than the call. If such a call waits nevertheless, another thread reads on (see
 * {@link ReaderHandover}).
 */
public final class Dispatcher implements ConnectionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final AtomicLong connections = new AtomicLong();
    private final AtomicInteger busyLines = new AtomicInteger();
    private final Set<Connection> live = ConcurrentHashMap.newKeySet();
    private final BufferPool buffers = new BufferPool();
    private final MethodTable methods;
    private final Handshake handshake;
    private final AppDialect app;
    private final RequestBounds bounds;
    private final CallRunner calls;
    private final StalledReaderMonitor relief;
    private final Timers timers;
    private final AccessLog access;

    /**
     * The limits of the requests of one connection.
     *
     * @param concurrentRequests number of ordinary requests that may run at once
     * @param inFlightBytes bytes of received messages whose requests have not ended
     * @param memory memory limit for the requests of all connections
     * @param descriptors tells if enough file descriptors are left to start or open something
     */
    public record RequestBounds(
            int concurrentRequests, long inFlightBytes, ServerMemory memory, DescriptorBudget descriptors) {}

    /** @param largeMessages receives the size in bytes of each large message that is no longer needed */
    public Dispatcher(
            MethodTable methods,
            Handshake handshake,
            AppDialect app,
            RequestBounds bounds,
            FileWorkers workers,
            Timers timers,
            LongConsumer largeMessages,
            AccessLog access) {
        this.access = access;
        this.methods = methods;
        this.handshake = handshake;
        this.app = app;
        this.bounds = bounds;
        this.timers = timers;
        this.calls = new CallRunner(workers, largeMessages);
        this.relief = new StalledReaderMonitor(timers);
        bounds.memory().received().whenShort(this::dropStalled);
        bounds.memory().answers().whenShort(this::dropStalled);
    }

    @Override
    public void serve(Transport transport) {
        long number = connections.incrementAndGet();
        Thread.currentThread().setName("conn-" + number + "-reader");
        Outbound outbound = new Outbound(transport, buffers);
        RequestGate gate = new RequestGate(
                bounds.concurrentRequests(),
                bounds.inFlightBytes(),
                bounds.memory().receivedOfClient());
        Connection connection = new Connection(
                number,
                transport,
                outbound,
                gate,
                new ReaderHandover(relief),
                bounds.memory().answersOfClient(),
                busyLines,
                handshake.dialect(),
                access);
        live.add(connection);
        Optional<Timers.Planned> greeting = transport.greetingLimit().map(limit -> limitGreeting(connection, limit));
        LOG.debug("connection {} from {}", number, transport.describe());
        Runnable ended = RequestEvents.opened(connection);
        Threads.virtual("conn-" + number + "-writer", outbound::runWriter);
        ReaderHandover turn = connection.turn();
        turn.begin(departure -> Threads.virtual("conn-" + number + "-reader", () -> {
            if (turn.take(departure)) {
                read(connection);
            }
        }));
        read(connection);
        turn.awaitEnd();
        greeting.ifPresent(Timers.Planned::cancel);
        ended.run();
    }

    /** Closes a connection that sends no {@code initialize} in time: otherwise it would hold its slot for ever. */
    private Timers.Planned limitGreeting(Connection connection, Duration limit) {
        return timers.after(limit, "greeting", () -> {
            if (!connection.attached()) {
                LOG.info(
                        "connection {} from {} is closed: no initialize within {} s",
                        connection.number(),
                        connection.transport().describe(),
                        limit.toSeconds());
                connection
                        .transport()
                        .close(CloseReason.POLICY.because(
                                "no initialize within " + limit.toSeconds() + " s; see --request-timeout"));
            }
        });
    }

    /** Body of a reader thread. Ends with the connection, or when another thread takes over the reading. */
    private void read(Connection connection) {
        boolean last = true;
        try {
            last = readAll(connection, connection.transport());
            LOG.debug("connection {} {}", connection.number(), last ? "has ended" : "is read by another thread");
        } catch (IOException e) {
            LOG.debug("connection {} is lost: {}", connection.number(), e.toString());
        } finally {
            if (last) {
                live.remove(connection);
                try {
                    connection.end();
                } finally {
                    connection.turn().end();
                }
            }
        }
    }

    /**
     * Closes connections whose peers do not read, because other requests wait for their memory. Their sessions can be
     * resumed.
     */
    private void dropStalled() {
        CloseReason reason = CloseReason.TRY_AGAIN_LATER.because(
                "answers are not read while the server needs their memory; see " + ServerMemory.OPTION);
        for (Connection connection : live) {
            if (connection.endIfStalled(reason)) {
                LOG.info(
                        "connection {} is dropped: its peer does not read, and others need the memory",
                        connection.number());
            }
        }
    }

    /** Returns true if the connection has ended, false if another thread reads it now. */
    private boolean readAll(Connection connection, Transport transport) throws IOException {
        while (readNext(connection, transport)) {
            if (!connection.turn().carryOut()) {
                return false;
            }
        }
        if (transport.takesAnswersAfterItsEnd()) {
            connection.awaitLastAnswers();
        }
        return true;
    }

    /** Takes the next message. Returns false if there is none. */
    private boolean readNext(Connection connection, Transport transport) throws IOException {
        try {
            Optional<ReceivedMessage> next = transport.read();
            if (next.isEmpty() || !enter(connection, next.get().size())) {
                return false;
            }
            settle(connection, next.get().size(), () -> accept(connection, next.get()));
        } catch (MessageTooLargeException e) {
            if (!enter(connection, 0)) {
                return false;
            }
            settle(connection, 0, () -> notParsed(connection, e.getMessage(), 0));
        }
        return true;
    }

    /**
     * Processes a message that has entered the gate. Releases what the message holds unless it stays. If an Error
     * escapes from here, the connection ends, and no answer will release the rest; so this method releases it too.
     */
    private static void settle(Connection connection, int messageBytes, BooleanSupplier stays) {
        RequestGate gate = connection.gate();
        boolean settled = false;
        try {
            if (!stays.getAsBoolean()) {
                gate.leave(messageBytes);
            }
            settled = true;
        } finally {
            if (!settled) {
                gate.leave(messageBytes);
                gate.written();
            }
        }
    }

    /** Enters a message into the gate. Returns false if there is no room; the connection is then being closed. */
    private static boolean enter(Connection connection, int messageBytes) {
        boolean room = connection.gate().enter(messageBytes);
        if (!room) {
            connection
                    .transport()
                    .close(CloseReason.TRY_AGAIN_LATER.because(
                            "server holds too many requests; see " + ServerMemory.OPTION));
        }
        return room;
    }

    /**
     * Returns true if the message stays in the gate: as a request that runs or is queued, or until there is room for
     * its error.
     */
    private boolean accept(Connection connection, ReceivedMessage message) {
        try {
            if (!Utf8Validator.valid(message)) { // text frames were checked; binary frames and lines were not
                throw new MalformedMessageException("the message is not valid UTF-8");
            }
            switch (EnvelopeDecoder.decode(message)) {
                case Request request -> {
                    return accept(connection, request, message.size());
                }
                case Notification notification -> {
                    notified(connection, notification);
                    connection.gate().written();
                }
                case Response(RequestId id, var result, var _) ->
                    answered(connection, id, connection.requests().answered(id, result));
                case ErrorResponse(RequestId id, var error) ->
                    answered(connection, id, connection.requests().failed(id, error.message()));
            }
        } catch (MalformedMessageException e) {
            return notParsed(connection, e.getMessage(), message.size());
        } catch (RpcException e) {
            return refused(connection, RequestId.MALFORMED, e, message.size());
        }
        return false;
    }

    /** Refuses a message that is no request. Returns true if it stays in the gate until there is room for the error. */
    private boolean notParsed(Connection connection, String why, long messageBytes) {
        if (connection.appClient().isPresent()) {
            RpcException error = AppErrors.shape(RpcException.invalidRequest(why));
            return refused(connection, RequestId.UNKNOWN, error, messageBytes);
        }
        String where = connection.transport().describe();
        String kind = connection.transport().kind().map(word -> word + " ").orElse("");
        RpcException error = RpcException.invalidRequest(
                "failed to parse " + kind + "JSON-RPC message from exec-server " + where + ": " + why);
        return refused(connection, RequestId.MALFORMED, error, messageBytes);
    }

    private void notified(Connection connection, Notification notification) {
        if (connection.appClient().isPresent()) {
            LOG.debug("connection {} sends the notification {}", connection.number(), notification.method());
        } else {
            handshake.notified(connection, notification);
        }
    }

    private static void answered(Connection connection, RequestId id, boolean asked) {
        if (connection.appClient().isPresent()) {
            LOG.debug("connection {} answers a request that it was not sent", connection.number());
        } else if (!asked) {
            throw OutgoingRequests.unsolicited(id);
        }
        connection.gate().written();
    }

    private boolean accept(Connection connection, Request request, int messageBytes) {
        try {
            long parsed = RequestGate.parsedBytes(request.values());
            connection.gate().grow(messageBytes, parsed);
            boolean runs = false;
            try {
                runs = prepared(connection, request, messageBytes + parsed);
            } finally {
                if (!runs) {
                    connection.gate().leave(parsed);
                }
            }
            return runs;
        } catch (RpcException e) {
            return refused(connection, request.id(), e, messageBytes);
        } catch (RuntimeException e) {
            return refused(connection, request.id(), Outcome.unexpected(request, e), messageBytes);
        }
    }

    /** Sends an error now, or when there is memory for it. Returns true if the message stays in the gate until then. */
    private boolean refused(Connection connection, RequestId id, RpcException e, long messageBytes) {
        if (connection.errorAtOnce(id, e)) {
            return false;
        }
        AnswerMemory memory = new AnswerMemory(connection.answers());
        boolean _ = connection.gate().begin(true, () -> {}); // a refusal gets its turn at once
        calls.startRefusal(connection, id, e, memory, () -> connection.gate().end(true, messageBytes));
        return true;
    }

    /** Returns true if the request was queued or started. It then releases its memory itself when it ends. */
    private boolean prepared(Connection connection, Request request, long heldBytes) {
        if (request.method().equals(Handshake.INITIALIZE)) {
            if (!app.initialize(connection, request)) {
                handshake.initialize(connection, request);
            }
            return false;
        }
        MethodTable table = app.tableFor(connection, request.method(), methods);
        Method<?> method = table.find(request.method()).orElseThrow(() -> table.unknown(connection, request.method()));
        connection.gate().admit(method.control());
        submit(connection, request, method, heldBytes);
        return true;
    }

    /**
     * Queues the call, or starts it if it has its turn. The reader thread runs it if its answer may be ready, no
     * outgoing data waits, and the calls before it did not wait.
     */
    private void submit(Connection connection, Request request, Method<?> method, long heldBytes) {
        AnswerMemory memory = new AnswerMemory(connection.answers());
        Optional<Span> span = RequestSpans.begin(connection, request);
        Method.Prepared prepared =
                RequestSpans.within(span, () -> method.prepare(connection, request, memory, bounds.descriptors()));
        RequestGate gate = connection.gate();
        boolean taken = false;
        try {
            AcceptedCall call = new AcceptedCall(
                    connection,
                    request.withoutParams(),
                    prepared,
                    memory,
                    span,
                    heldBytes,
                    () -> gate.end(method.control(), heldBytes));
            boolean now = gate.begin(method.control(), () -> calls.start(call));
            taken = true;
            if (now) {
                carryOut(call);
            }
        } finally {
            if (!taken) {
                prepared.promise().close();
            }
        }
    }

    private void carryOut(AcceptedCall call) {
        ReaderHandover turn = call.connection().turn();
        try {
            if (call.work().mayBeAtHand()
                    && turn.mayLeave(call.connection().outbound().idle())) {
                turn.leaveFor(() -> calls.runAtOnce(call));
                return;
            }
        } catch (RuntimeException | Error e) {
            calls.giveUp(call, e);
            return;
        }
        calls.start(call);
    }
}
