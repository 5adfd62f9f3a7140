package dev.execserver.client.rpc;

import dev.execserver.client.transport.ClientThreads;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.ErrorResponse;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.Response;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** One transport with the calls that wait for an answer on it. {@code lock} guards the calls and the end. */
final class Connection {

    private static final System.Logger LOG = System.getLogger(Connection.class.getName());

    /** Limit of requests of the server that wait for their answers. */
    static final int MAX_ASKED = 1_024;

    /** Limit of the bytes of all these requests together. */
    static final long MAX_ASKED_BYTES = ClientTransport.MAX_MESSAGE_BYTES;

    /**
     * Receives input and the end. Called on the reader thread, except {@link #answer}; a failed send or ping may also
     * report the end.
     */
    interface Owner {
        void notified(Notification notification);

        /** Answers a request, see {@link LinkListener#answer}. */
        default Optional<JsonWritable> answer(Request request) {
            return Optional.empty();
        }

        /** Reports warnings of the server about the params of a request, before its caller has the answer. */
        default void warned(String method, List<String> warnings) {}

        /**
         * Reports the end. Called once.
         *
         * @param unanswered in the order in which they were sent
         */
        void ended(Connection connection, List<Call> unanswered, String why);
    }

    private final ClientTransport transport;
    private final Owner owner;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Call> pending = new TreeMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong askedBytes = new AtomicLong();
    private final AtomicBoolean pinging = new AtomicBoolean();
    private boolean ended;
    private volatile Thread keepAlive;

    Connection(ClientTransport transport, Owner owner) {
        this.transport = transport;
        this.owner = owner;
    }

    /** Begins to read, and to ask for signs of life at this interval. */
    void start(Duration pingInterval) {
        if (transport.blocksInKernel()) {
            ClientThreads.daemon("exec-client-reader", this::read);
        } else {
            ClientThreads.virtual("exec-client-reader", this::read);
            keepAlive = ClientThreads.virtual("exec-client-keepalive", () -> keepAlive(pingInterval));
        }
    }

    /**
     * Sends a request.
     *
     * @return false if this connection has ended and the call was not taken
     * @throws IllegalArgumentException when the request is larger than the protocol allows
     */
    boolean submit(Call call) {
        MessageBuffer message = new MessageBuffer();
        long id = nextId.getAndIncrement();
        MessageEncoder.request(message, RequestId.of(id), call.method(), call.params());
        if (message.length() > ClientTransport.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(call.method() + " of " + message.length() + " bytes is too large");
        }
        if (!register(id, call)) {
            return false;
        }
        send(message);
        return true;
    }

    private boolean register(long id, Call call) {
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            pending.put(id, call);
            call.sent();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void notify(String method, JsonWritable params) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.notification(message, method, params);
        send(message);
    }

    /** Removes a call whose answer nobody waits for any more. */
    void forget(Call call) {
        lock.lock();
        try {
            pending.values().remove(call);
        } finally {
            lock.unlock();
        }
    }

    boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    void end(String why) {
        List<Call> unanswered;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            unanswered = List.copyOf(pending.values());
            pending.clear();
        } finally {
            lock.unlock();
        }
        if (keepAlive != null) {
            keepAlive.interrupt();
        }
        owner.ended(
                this, unanswered, VisibleText.oneLine(transport.closeReason().orElse(why)));
        transport.close();
    }

    private void send(MessageBuffer message) {
        try {
            transport.send(message);
        } catch (IOException e) {
            end("connection lost while sending: " + e.getMessage());
        }
    }

    private void read() {
        String why = "connection closed by the server";
        try {
            Optional<byte[]> message = transport.receive();
            while (message.isPresent()) {
                byte[] bytes = message.get();
                handle(EnvelopeDecoder.decodeOfServer(bytes), bytes.length);
                message = transport.receive();
            }
        } catch (IOException e) {
            why = "connection lost: " + e.getMessage();
        } catch (MalformedMessageException | RpcException e) {
            why = "the server sent a message that is none of the protocol: " + e.getMessage();
        } finally {
            end(why);
        }
    }

    private void handle(JsonRpcMessage message, int bytes) throws IOException {
        switch (message) {
            case Response(RequestId id, var result, var warnings) ->
                take(id).ifPresent(call -> {
                    warnings.ifPresent(texts -> owner.warned(call.method(), AnswerWarnings.of(texts)));
                    call.complete(result, bytes);
                });
            case ErrorResponse(RequestId id, var error) ->
                take(id).ifPresentOrElse(
                                call -> {
                                    owner.warned(call.method(), AnswerWarnings.of(error));
                                    call.fail(error);
                                },
                                () -> LOG.log(
                                        System.Logger.Level.DEBUG,
                                        "error without a call: {0}",
                                        VisibleText.of(error.message())));
            case Notification notification -> owner.notified(notification);
            case Request request -> ask(request, bytes);
        }
    }

    private void ask(Request request, int bytes) throws IOException {
        if (asked.incrementAndGet() > MAX_ASKED || askedBytes.addAndGet(bytes) > MAX_ASKED_BYTES) {
            throw new IOException(
                    "the server asks more at once than %d questions or %d bytes".formatted(MAX_ASKED, MAX_ASKED_BYTES));
        }
        ClientThreads.virtual("exec-client-answer", () -> {
            try {
                answer(request);
            } finally {
                asked.decrementAndGet();
                askedBytes.addAndGet(-bytes);
            }
        });
    }

    private Optional<Call> take(RequestId id) {
        lock.lock();
        try {
            return id instanceof RequestId.Number(long number)
                    ? Optional.ofNullable(pending.remove(number))
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Answers a request of the server. Every request must be answered, even an unknown one (docs/protocol.md,
     * "Envelope").
     */
    private void answer(Request request) {
        MessageBuffer message = new MessageBuffer();
        try {
            JsonWritable result =
                    owner.answer(request).orElseThrow(() -> RpcException.methodNotFound(request.method()));
            MessageEncoder.response(message, request.id(), result);
        } catch (RpcException e) {
            MessageEncoder.error(message, request.id(), e);
        }
        send(message);
    }

    /** Ends the connection if the peer was asked for a sign of life and gave none for a whole further interval. */
    private void keepAlive(Duration interval) {
        try {
            while (true) {
                Thread.sleep(interval);
                long idle = transport.idleNanos();
                if (idle > interval.toNanos() * 2) {
                    end("connection lost: nothing heard for " + idle / 1_000_000 + " ms");
                    return;
                }
                // One ping at a time: it may wait behind a sender for ever.
                if (idle > interval.toNanos() / 2 && pinging.compareAndSet(false, true)) {
                    // Use another thread: this one would wait behind a sender that waits for a peer that is gone.
                    ClientThreads.virtual("exec-client-ping", this::ping);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the connection has ended
        }
    }

    private void ping() {
        try {
            transport.ping();
        } catch (IOException e) {
            end("connection lost: " + e.getMessage());
        } finally {
            pinging.set(false);
        }
    }
}
