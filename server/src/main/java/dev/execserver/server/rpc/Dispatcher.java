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
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorRoom;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.MessageTooLargeException;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.codec.Utf8Validator;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages of a connection and hands every request to a thread of its own.
 *
 * <p>{@link #serve} is the body of a connection's reader thread. It parses, reserves and queues; it never runs a method
 * and never waits for a write. Only the handshake is carried out here, because everything after it depends on it.
 */
public final class Dispatcher implements ConnectionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Messages from this size on are reported when they are no longer needed. */
    private static final int LARGE_BYTES = 4 << 20;

    private final AtomicLong connections = new AtomicLong();
    private final Set<Connection> live = ConcurrentHashMap.newKeySet();
    private final BufferPool buffers = new BufferPool();
    private final MethodTable methods;
    private final Handshake handshake;
    private final RequestBounds bounds;
    private final FileWorkers workers;
    private final LongConsumer largeMessages;

    /**
     * What the requests of one connection may cost.
     *
     * @param concurrentRequests ordinary requests that run at once
     * @param inFlightBytes bytes of received messages whose requests have not ended
     * @param memory what the requests of all connections may hold
     * @param descriptors whether some are left for what a client wants to start or open
     */
    public record RequestBounds(
            int concurrentRequests, long inFlightBytes, ServerMemory memory, DescriptorRoom descriptors) {}

    /** @param largeMessages is told the size of each large message that is no longer needed */
    public Dispatcher(
            MethodTable methods,
            Handshake handshake,
            RequestBounds bounds,
            FileWorkers workers,
            LongConsumer largeMessages) {
        this.methods = methods;
        this.handshake = handshake;
        this.bounds = bounds;
        this.workers = workers;
        this.largeMessages = largeMessages;
        bounds.memory().received().whenShort(this::dropStalled);
        bounds.memory().answers().whenShort(this::dropStalled);
    }

    @Override
    public void serve(Transport transport) {
        long number = connections.incrementAndGet();
        Outbound outbound = new Outbound(transport, buffers);
        RequestGate gate = new RequestGate(
                bounds.concurrentRequests(),
                bounds.inFlightBytes(),
                bounds.memory().received());
        Connection connection = new Connection(
                number, transport, outbound, gate, bounds.memory().answers(), handshake.dialect());
        live.add(connection);
        LOG.debug("connection {} from {}", number, transport.describe());
        Threads.virtual("conn-" + number + "-writer", outbound::runWriter);
        try {
            readAll(connection, transport);
            LOG.debug("connection {} has ended", number);
        } catch (IOException e) {
            LOG.debug("connection {} is lost: {}", number, e.toString());
        } finally {
            live.remove(connection);
            connection.end();
        }
    }

    /** Somebody waits for memory: peers that do not read must give theirs back. Their sessions can be resumed. */
    private void dropStalled() {
        live.stream().filter(Connection::stalled).forEach(connection -> {
            LOG.info(
                    "connection {} is dropped: its peer does not read, and others need the memory",
                    connection.number());
            connection
                    .transport()
                    .close(CloseReason.TRY_AGAIN_LATER.because(
                            "answers are not read while the server needs their memory; see " + ServerMemory.OPTION));
        });
    }

    private void readAll(Connection connection, Transport transport) throws IOException {
        while (true) {
            try {
                Optional<ReceivedMessage> next = transport.read();
                if (next.isEmpty()) {
                    break;
                }
                ReceivedMessage message = next.get();
                if (!enter(connection, message.size())) {
                    return;
                }
                if (!accept(connection, message)) {
                    connection.gate().leave(message.size());
                }
            } catch (MessageTooLargeException e) {
                if (!enter(connection, 0)) {
                    return;
                }
                if (!refused(connection, RequestId.MALFORMED, notParsed(transport, e.getMessage()), 0)) {
                    connection.gate().leave(0);
                }
            }
        }
        if (transport.takesAnswersAfterItsEnd()) {
            connection.awaitLastAnswers();
        }
    }

    /** False when there is no room for a message of that size; the connection is being closed then. */
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

    /** Returns whether the message stays: as a request that runs or waits for its turn, or until there is room for its error. */
    private boolean accept(Connection connection, ReceivedMessage message) {
        try {
            if (!Utf8Validator.valid(message)) { // text frames were refused; binary ones and lines come as they are
                throw new MalformedMessageException("the message is not valid UTF-8");
            }
            switch (EnvelopeDecoder.decode(message)) {
                case Request request -> {
                    return accept(connection, request, message.size());
                }
                case Notification notification -> {
                    handshake.notified(connection, notification);
                    connection.gate().written();
                }
                case Response(RequestId id, var result) ->
                    answered(connection, id, connection.requests().answered(id, result));
                case ErrorResponse(RequestId id, var error) ->
                    answered(connection, id, connection.requests().failed(id, error.message()));
            }
        } catch (MalformedMessageException e) {
            RpcException error = notParsed(connection.transport(), e.getMessage());
            return refused(connection, RequestId.MALFORMED, error, message.size());
        } catch (RpcException e) {
            return refused(connection, RequestId.MALFORMED, e, message.size());
        }
        return false;
    }

    private static RpcException notParsed(Transport transport, String why) {
        String where = transport.describe();
        String kind = where.startsWith("websocket") ? "websocket " : "";
        return RpcException.invalidRequest(
                "failed to parse " + kind + "JSON-RPC message from exec-server " + where + ": " + why);
    }

    private static void answered(Connection connection, RequestId id, boolean asked) {
        if (!asked) {
            throw unsolicited(id);
        }
        connection.gate().written();
    }

    private static RpcException unsolicited(RequestId id) {
        return RpcException.invalidRequest("response with id " + text(id) + " answers no request of this server");
    }

    private static String text(RequestId id) {
        return switch (id) {
            case RequestId.Text(String value) -> value;
            case RequestId.Number(long value) -> Long.toString(value);
        };
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

    /** The error goes out at once, or when there is memory for it; returns whether the message stays until then. */
    private boolean refused(Connection connection, RequestId id, RpcException e, long messageBytes) {
        if (connection.errorAtOnce(id, e)) {
            return false;
        }
        AnswerMemory memory = new AnswerMemory(bounds.memory().answers());
        Supplier<Outcome> outcome = () -> Outcome.refusal(id, e, memory);
        connection
                .gate()
                .submit(
                        true,
                        messageBytes,
                        ended -> Threads.virtual("refusal", () -> answer(connection, outcome, memory, ended)));
        return true;
    }

    /** Returns whether it has become a request that runs or waits, and gives back what it holds when it has ended. */
    private boolean prepared(Connection connection, Request request, long heldBytes) {
        if (request.method().equals(Handshake.INITIALIZE)) {
            handshake.initialize(connection, request);
            return false;
        }
        Method<?> method =
                methods.find(request.method()).orElseThrow(() -> RpcException.methodNotFound(request.method()));
        connection.gate().admit(method.control());
        submit(connection, request, method, heldBytes);
        return true;
    }

    private void submit(Connection connection, Request request, Method<?> method, long heldBytes) {
        AnswerMemory memory = new AnswerMemory(bounds.memory().answers());
        Method.Prepared prepared = method.prepare(connection, request.params(), memory, bounds.descriptors());
        Request asked = request.withoutParams();
        Supplier<Outcome> making = () -> {
            try {
                return outcome(asked, prepared.work(), memory);
            } finally {
                prepared.promise().close();
            }
        };
        connection
                .gate()
                .submit(
                        method.control(),
                        heldBytes,
                        ended -> start(
                                connection,
                                () -> answer(connection, making, memory, () -> {
                                    ended.run();
                                    doneWith(heldBytes);
                                })));
    }

    private static void start(Connection connection, Runnable request) {
        Threads.virtual("request", () -> FileWorkers.onBehalfOf(connection.fileCalls(), request));
    }

    private Outcome outcome(Request request, Method.Work work, AnswerMemory memory) {
        return Outcome.attempt(request, memory, () -> {
            Method.Work decided = work instanceof Method.Deciding(var decision) ? decision.make() : work;
            return decided instanceof Method.FileWork files
                    ? outcomeOfFiles(request, files, memory)
                    : Outcome.encoded(request, decided.run(), memory);
        });
    }

    /** The answer is encoded where it is made: a file is read straight into the message, which may have to wait. */
    private Outcome outcomeOfFiles(Request request, Method.FileWork files, AnswerMemory memory) {
        Optional<Answer> cached = files.runCached();
        if (cached.isPresent()) {
            return Outcome.encoded(request, cached.get(), memory);
        }
        memory.setWaiting(false); // not on a file worker; and answers that need much memory come of reading only
        while (true) {
            try {
                return workers.call(() -> Outcome.encoded(request, files.run(), memory));
            } catch (AnswerMemory.ShortException e) {
                memory.setWaiting(true);
                memory.beginAnew(e.bytes());
                memory.setWaiting(false);
            }
        }
    }

    private void answer(Connection connection, Supplier<Outcome> making, AnswerMemory memory, Runnable ended) {
        int bytes = 0;
        try {
            Optional<Outcome> outcome = made(making);
            if (outcome.isEmpty()) {
                connection.cannotAnswer(memory);
                return;
            }
            bytes = outcome.get().message().heapBytes();
            connection.answer(outcome.get().message(), memory);
            outcome.get().afterwards().run();
        } finally {
            ended.run();
            doneWith(bytes);
        }
    }

    /** Empty when there is no memory even for the error. */
    private static Optional<Outcome> made(Supplier<Outcome> making) {
        try {
            return Optional.of(making.get());
        } catch (RpcException full) {
            LOG.debug("an error cannot be answered: {}", full.message());
            return Optional.empty();
        }
    }

    private void doneWith(long messageBytes) {
        if (messageBytes >= LARGE_BYTES) {
            largeMessages.accept(messageBytes);
        }
    }
}
