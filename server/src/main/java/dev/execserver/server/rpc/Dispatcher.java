package dev.execserver.server.rpc;

import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.ErrorResponse;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Notification;
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

    /** What they start or open stays when the request has been answered. */
    private static final Set<String> KEEP_DESCRIPTORS =
            Set.of(ProcessMethodNames.START, FsMethodNames.OPEN, FsMethodNames.WATCH, NetMethodNames.HTTP_REQUEST);

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
        Connection connection = new Connection(number, transport, outbound, gate, handshake.dialect());
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
                Optional<byte[]> next = transport.read();
                if (next.isEmpty()) {
                    break;
                }
                byte[] message = next.get();
                if (!enter(connection, message.length)) {
                    return;
                }
                if (!accept(connection, message)) {
                    connection.gate().leave(message.length);
                }
            } catch (MessageTooLargeException e) {
                if (!enter(connection, 0)) {
                    return;
                }
                connection.errorAtOnce(RequestId.MALFORMED, notParsed(transport, e.getMessage()));
                connection.gate().leave(0);
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

    /** Returns whether the message has become a request that runs, or waits for its turn. */
    private boolean accept(Connection connection, byte[] message) {
        try {
            if (!Utf8Validator.valid(message)) { // text frames were refused; binary ones and lines come as they are
                throw new MalformedMessageException("the message is not valid UTF-8");
            }
            switch (EnvelopeDecoder.decode(message, 0, message.length)) {
                case Request request -> {
                    return accept(connection, request, message.length);
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
            connection.errorAtOnce(RequestId.MALFORMED, notParsed(connection.transport(), e.getMessage()));
        } catch (RpcException e) {
            connection.errorAtOnce(RequestId.MALFORMED, e);
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
            if (request.method().equals(Handshake.INITIALIZE)) {
                handshake.initialize(connection, request);
                return false;
            }
            Method<?> method =
                    methods.find(request.method()).orElseThrow(() -> RpcException.methodNotFound(request.method()));
            connection.gate().admit(method.control());
            if (!KEEP_DESCRIPTORS.contains(request.method())) {
                submit(connection, request, method, messageBytes, () -> {});
                return true;
            }
            DescriptorRoom.Promise promise = bounds.descriptors().admit(request.method());
            try {
                submit(connection, request, method, messageBytes, promise::close);
                return true;
            } catch (RuntimeException e) {
                promise.close();
                throw e;
            }
        } catch (RpcException e) {
            connection.errorAtOnce(request.id(), e);
        } catch (RuntimeException e) {
            connection.errorAtOnce(request.id(), unexpected(request, e));
        }
        return false;
    }

    /** @param done runs when the work is done, before its answer is sent; never when this fails */
    private void submit(Connection connection, Request request, Method<?> method, int messageBytes, Runnable done) {
        AnswerMemory memory = new AnswerMemory(bounds.memory().answers());
        Method.Work work = method.prepare(connection, request.params(), memory);
        connection
                .gate()
                .submit(
                        method.control(),
                        messageBytes,
                        ended -> Threads.virtual("request", () -> {
                            Outcome outcome;
                            try {
                                outcome = outcome(request, work, memory);
                            } finally {
                                done.run();
                            }
                            send(connection, outcome, memory, () -> {
                                ended.run();
                                doneWith(messageBytes);
                            });
                        }));
    }

    private Outcome outcome(Request request, Method.Work work, AnswerMemory memory) {
        return attempt(request, () -> {
            Method.Work decided = work instanceof Method.Deciding(var decision) ? decision.make() : work;
            return decided instanceof Method.FileWork files
                    ? outcomeOfFiles(request, files, memory)
                    : encoded(request, decided.run(), memory);
        });
    }

    /** The answer is encoded where it is made: a file is read straight into the message, which may have to wait. */
    private Outcome outcomeOfFiles(Request request, Method.FileWork files, AnswerMemory memory) {
        Optional<Answer> cached = files.runCached();
        if (cached.isPresent()) {
            return encoded(request, cached.get(), memory);
        }
        memory.setWaiting(false); // not on a file worker; and answers that need much memory come of reading only
        while (true) {
            try {
                return workers.call(() -> attempt(request, () -> encoded(request, files.run(), memory)));
            } catch (AnswerMemory.ShortException e) {
                memory.setWaiting(true);
                memory.beginAnew(e.bytes());
                memory.setWaiting(false);
            }
        }
    }

    private void send(Connection connection, Outcome outcome, AnswerMemory memory, Runnable ended) {
        try {
            connection.answer(outcome.message(), memory);
            outcome.afterwards().run();
        } finally {
            ended.run();
            doneWith(outcome.message().length());
        }
    }

    private void doneWith(int messageBytes) {
        if (messageBytes >= LARGE_BYTES) {
            largeMessages.accept(messageBytes);
        }
    }

    /**
     * What a request came to.
     *
     * @param message its answer
     * @param afterwards what follows once that is queued
     */
    private record Outcome(MessageBuffer message, Runnable afterwards) {
        private static final Runnable NOTHING = () -> {};
    }

    /** What leads to an outcome and may fail on the way. */
    @FunctionalInterface
    private interface Attempt {
        Outcome run() throws InterruptedException;
    }

    private static Outcome encoded(Request request, Answer answer, AnswerMemory memory) {
        return new Outcome(encode(request.id(), answer, memory), answer.afterwards());
    }

    private static Outcome attempt(Request request, Attempt attempt) {
        try {
            return attempt.run();
        } catch (AnswerMemory.ShortException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(error(request.id(), RpcException.internal("interrupted")), Outcome.NOTHING);
        } catch (RpcException e) {
            return new Outcome(error(request.id(), DescriptorRoom.named(e)), Outcome.NOTHING);
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            // The last one is a thread that could not be started: a heap that is full ends the server.
            return new Outcome(error(request.id(), DescriptorRoom.named(unexpected(request, e))), Outcome.NOTHING);
        }
    }

    /** The answer as a message, or an error when no client could take so large a message. */
    static MessageBuffer encode(RequestId id, Answer answer, AnswerMemory memory) {
        MessageBuffer out = new MessageBuffer(memory);
        MessageEncoder.response(out, id, answer.result());
        if (out.length() <= Transport.MAX_MESSAGE_BYTES) {
            return out;
        }
        return error(
                id,
                RpcException.invalidRequest("the answer has " + out.length() + " bytes, more than the limit of "
                        + Transport.MAX_MESSAGE_BYTES + " for one message"));
    }

    private static MessageBuffer error(RequestId id, RpcException e) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.error(out, id, e);
        return out;
    }

    private static RpcException unexpected(Request request, Throwable e) {
        LOG.error("{} failed", request.method(), e);
        return RpcException.internal("internal error in " + request.method() + ": " + e, e);
    }
}
