package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.ClientShare;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.session.Attachment;
import dev.execserver.server.session.Session;
import dev.execserver.server.session.Unasked;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One client connection: the state of its handshake, its outbound queue and the limits of its requests.
 *
 * <p>The reader thread advances the handshake and owns the connection's {@link ConnectionState}s. Request threads and the
 * server's shutdown read the handshake. All fields that change are volatile, and only the reader thread writes the
 * handshake.
 */
public final class Connection implements Attachment {

    /** Error text for requests of a connection whose session another connection has taken over. */
    public static final String RESUMED_ELSEWHERE = "session has been resumed by another connection";

    /** Longest wait before a close: for running requests to end, and then for their answers to be sent. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(500);

    /** A peer that has taken no bytes for this long is dropped when other connections wait for memory. */
    private static final Duration STALLED = Duration.ofSeconds(5);

    private final long number;
    private final Transport transport;
    private final Outbound outbound;
    private final OutgoingRequests requests;
    private final RequestGate gate;
    private final ReaderHandover turn;
    private final ClientShare answers;
    private final Runnable written;
    private final Dialect dialect;
    private final AccessLog access;
    private final FileClient fileCalls = new FileClient();
    private final CallLine fileLine;
    private final CallLine longFileLine;
    /** Reader thread only. */
    private final Map<Class<? extends ConnectionState>, ConnectionState> belongings = new HashMap<>();

    private final CountDownLatch greeted = new CountDownLatch(1);
    private final AtomicBoolean stalled = new AtomicBoolean();
    private volatile Session session;
    private volatile Optional<AppClient> appClient = Optional.empty();
    private volatile boolean initialized;
    private volatile boolean closed;

    /**
     * Creates the state of an accepted connection.
     *
     * @param answers memory for the answers of this client
     * @param busyLines counts the lines of all connections in which a file call runs
     */
    Connection(
            long number,
            Transport transport,
            Outbound outbound,
            RequestGate gate,
            ReaderHandover turn,
            ClientShare answers,
            AtomicInteger busyLines,
            Dialect dialect,
            AccessLog access) {
        this.number = number;
        this.transport = transport;
        this.outbound = outbound;
        this.requests = new OutgoingRequests(outbound);
        this.gate = gate;
        this.turn = turn;
        this.answers = answers;
        this.fileLine = new CallLine(busyLines);
        this.longFileLine = new CallLine(busyLines);
        this.written = gate::written;
        this.dialect = dialect;
        this.access = access;
    }

    /** The number of this connection, counted from 1 since the server started; for logs and thread names. */
    public long number() {
        return number;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** The log of the requests that arrive here. */
    AccessLog access() {
        return access;
    }

    @Override
    public Optional<Subject> subject() {
        return transport.subject();
    }

    /** Returns the rights with which the client was admitted. */
    Rights rights() {
        return transport.rights();
    }

    @Override
    public boolean looksOnly() {
        return !transport.rights().equals(Subject.rights(subject()));
    }

    @Override
    public Outbound outbound() {
        return outbound;
    }

    @Override
    public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
        if (appClient.isPresent()) {
            return CompletableFuture.failedFuture(Unasked.because("a client of this dialect is not asked"));
        }
        return requests.send(method, params);
    }

    OutgoingRequests requests() {
        return requests;
    }

    Transport transport() {
        return transport;
    }

    RequestGate gate() {
        return gate;
    }

    /** Decides which thread may read this connection. */
    ReaderHandover turn() {
        return turn;
    }

    /** The client for which the file workers count this connection's calls. */
    FileClient fileCalls() {
        return fileCalls;
    }

    /** Returns the line in which file calls wait for their threads. Long calls have one of their own, so that others do not wait for them. */
    CallLine fileLine(boolean lengthy) {
        return lengthy ? longFileLine : fileLine;
    }

    /** Returns true if the connection has ended, so that nothing can be answered any more. */
    public boolean closed() {
        return closed;
    }

    /** Returns the session that the connection was attached to at last; empty before that. */
    Optional<Session> session() {
        return Optional.ofNullable(session);
    }

    boolean attached() {
        return session != null;
    }

    void attach(Session newSession) {
        session = newSession;
    }

    void attachApp(AppClient client, Session newSession) {
        appClient = Optional.of(client);
        session = newSession;
    }

    /** Returns the client if the connection speaks the app-server dialect. */
    public Optional<AppClient> appClient() {
        return appClient;
    }

    void initialized() {
        initialized = true;
    }

    /**
     * Returns the session.
     *
     * @throws RpcException -32600 when the handshake is not complete or another connection has taken the session
     */
    Session readySession(MethodFamily family) {
        Session current = session;
        if (family == MethodFamily.COMMAND) {
            if (current == null) {
                throw AppErrors.notInitialized();
            }
            return current;
        }
        if (current == null) {
            throw RpcException.invalidRequest("client must call initialize before using " + family + " methods");
        }
        if (!initialized) {
            throw RpcException.invalidRequest("client must send initialized before using " + family + " methods");
        }
        if (!current.attachedTo(this)) {
            throw RpcException.invalidRequest(RESUMED_ELSEWHERE);
        }
        return current;
    }

    /** Returns this connection's object of the given kind, and makes it on first use. Reader thread only. */
    public <T extends ConnectionState> T belonging(Class<T> kind, Supplier<T> make) {
        return kind.cast(belongings.computeIfAbsent(kind, key -> make.get()));
    }

    /** Accepts as proof a pong, any other incoming data, or queued bytes that the peer's kernel takes. */
    @Override
    public boolean provesAlive(Duration limit) {
        return !closed && LifeProbe.provesAlive(transport, limit);
    }

    @Override
    public void displaced() {
        Threads.virtual("displaced", () -> {
            awaitGreeted();
            // a connection that got the session and lost it at once still receives its answer to initialize
            awaitLastAnswers();
            transport.close(CloseReason.POLICY.because(RESUMED_ELSEWHERE));
        });
    }

    @Override
    public void awaitLastAnswers() {
        gate.awaitIdle(LAST_ANSWERS);
        boolean _ = outbound.awaitDrained(LAST_ANSWERS);
    }

    private void awaitGreeted() {
        try {
            boolean _ = greeted.await(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called when the answer to {@code initialize} is queued. */
    void greeted() {
        greeted.countDown();
    }

    ClientShare answers() {
        return answers;
    }

    /** Sends an answer from the request's own thread. Waits while the outbound queue is full. */
    void answer(MessageBuffer message, AnswerMemory memory) {
        outbound.send(message, memory, written);
    }

    /**
     * Ends the connection if the peer does not read what is sent to it, and releases the memory of its unsent answers at once.
     *
     * @return false if the peer reads, or this method has ended the connection before
     */
    boolean endIfStalled(CloseReason reason) {
        if (!outbound.stalled(STALLED) || !stalled.compareAndSet(false, true)) {
            return false;
        }
        transport.close(reason);
        outbound.close();
        return true;
    }

    /**
     * Sends an answer from the reader thread, which must not wait. Closes the connection if the outbound queue is full.
     */
    void answerAtOnce(MessageBuffer message, AnswerMemory memory) {
        if (!outbound.offer(message, memory, written)) {
            message.reset();
            memory.release();
            written.run();
            transport.close(CloseReason.POLICY.because(
                    "more than " + Outbound.MAX_QUEUED_BYTES + " bytes of answers are not read"));
        }
    }

    /** Sends an error from the reader thread. Returns false, without any effect, if there is no memory for it now. */
    boolean errorAtOnce(RequestId id, RpcException error) {
        AnswerMemory memory = new AnswerMemory(answers);
        memory.setWaiting(false);
        MessageBuffer out = new MessageBuffer(memory);
        try {
            MessageEncoder.error(out, id, error);
        } catch (AnswerMemory.ShortException e) {
            memory.release();
            return false;
        } catch (RuntimeException | Error e) {
            memory.release();
            throw e;
        }
        answerAtOnce(out, memory);
        return true;
    }

    /**
     * Closes the connection because no memory for an answer came in time. Without the close the client would wait for
     * ever.
     */
    void cannotAnswer(AnswerMemory memory) {
        memory.release();
        written.run();
        transport.close(CloseReason.TRY_AGAIN_LATER.because(
                "server has no memory for the answer to a request; see " + ServerMemory.OPTION));
    }

    /** Ends the connection: {@link #closed()} becomes true for its requests, and its session is notified. */
    void end() {
        closed = true;
        fileCalls.leave();
        outbound.close();
        requests.close();
        gate.close();
        belongings.values().forEach(ConnectionState::connectionEnded);
        Session last = session;
        if (last != null) {
            last.connectionLost(this);
        }
        if (turn.passedOn()) {
            transport.close(CloseReason.NORMAL); // the first thread may still be blocked in a write
        }
    }
}
