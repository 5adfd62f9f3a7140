package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.session.Attachment;
import dev.execserver.server.session.Session;
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
import java.util.function.Supplier;

/**
 * One client connection: where its handshake stands, what it sends, what its requests may cost.
 *
 * <p>The reader thread moves the handshake forward and keeps what belongs to the connection; request threads and the
 * server's stop read the handshake. All fields that change are volatile, and only the reader thread writes the handshake.
 */
public final class Connection implements Attachment {

    /** What requests of a connection are told whose session another connection has taken. */
    public static final String RESUMED_ELSEWHERE = "session has been resumed by another connection";

    /** How long requests may take to be answered, and the answers to leave, when a connection is about to be closed. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(500);

    /** A peer that takes nothing for so long is dropped when others wait for memory. */
    private static final Duration STALLED = Duration.ofSeconds(5);

    private final long number;
    private final Transport transport;
    private final Outbound outbound;
    private final OutgoingRequests requests;
    private final RequestGate gate;
    private final ReadingTurn turn;
    private final MemoryShare answers;
    private final Runnable written;
    private final Dialect dialect;
    private final FileClient fileCalls = new FileClient();
    /** Reader thread only. */
    private final Map<Class<? extends Belonging>, Belonging> belongings = new HashMap<>();

    private final CountDownLatch greeted = new CountDownLatch(1);
    private volatile Session session;
    private volatile boolean initialized;
    private volatile boolean closed;

    /** @param answers where the memory of errors is taken from */
    Connection(
            long number,
            Transport transport,
            Outbound outbound,
            RequestGate gate,
            ReadingTurn turn,
            MemoryShare answers,
            Dialect dialect) {
        this.number = number;
        this.transport = transport;
        this.outbound = outbound;
        this.requests = new OutgoingRequests(outbound);
        this.gate = gate;
        this.turn = turn;
        this.answers = answers;
        this.written = gate::written;
        this.dialect = dialect;
    }

    /** Counts connections of this server from 1, for logs and thread names. */
    public long number() {
        return number;
    }

    public Dialect dialect() {
        return dialect;
    }

    @Override
    public Optional<Subject> subject() {
        return transport.subject();
    }

    @Override
    public Outbound outbound() {
        return outbound;
    }

    @Override
    public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
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

    /** Whose turn it is to read it. */
    ReadingTurn turn() {
        return turn;
    }

    /** For whom the file calls of its requests are counted. */
    FileClient fileCalls() {
        return fileCalls;
    }

    /** True when nobody is there any more to be answered. */
    public boolean closed() {
        return closed;
    }

    boolean attached() {
        return session != null;
    }

    void attach(Session newSession) {
        session = newSession;
    }

    void initialized() {
        initialized = true;
    }

    /** The session, for a connection whose handshake is complete. */
    Session readySession(Family family) {
        Session current = session;
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

    /** What this connection has of that kind, made when it is first asked for. Reader thread only. */
    public <T extends Belonging> T belonging(Class<T> kind, Supplier<T> make) {
        return kind.cast(belongings.computeIfAbsent(kind, key -> make.get()));
    }

    /** A pong, or anything else that comes in, or queued bytes that the peer's kernel takes. */
    @Override
    public boolean provesAlive(Duration limit) {
        return !closed && LifeProbe.provesAlive(transport, limit);
    }

    @Override
    public void displaced() {
        Threads.virtual("displaced", () -> {
            awaitGreeted();
            // one that has just won the session, and lost it at once, still gets its answer to initialize
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

    /** The answer to {@code initialize} is queued. */
    void greeted() {
        greeted.countDown();
    }

    /** Answers a request from its own thread; waits while too much is queued. */
    void answer(MessageBuffer message, AnswerMemory memory) {
        outbound.send(message, memory, written);
    }

    /** Whether the peer does not take what is sent to it; its answers hold memory then. */
    boolean stalled() {
        return outbound.stalled(STALLED);
    }

    /** Answers from the reader thread, which never waits: a client that does not take its answers is dropped. */
    void answerAtOnce(MessageBuffer message, AnswerMemory memory) {
        if (!outbound.offer(message, memory, written)) {
            message.reset();
            memory.release();
            written.run();
            transport.close(CloseReason.POLICY.because(
                    "more than " + Outbound.MAX_QUEUED_BYTES + " bytes of answers are not read"));
        }
    }

    /** As above with an error; false when there is no memory for it at this moment, and nothing has happened. */
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

    /** There was no memory for an answer in time: a client must not wait for one that never comes. */
    void cannotAnswer(AnswerMemory memory) {
        memory.release();
        written.run();
        transport.close(CloseReason.TRY_AGAIN_LATER.because(
                "server has no memory for the answer to a request; see " + ServerMemory.OPTION));
    }

    /** The connection is over: its requests find {@link #closed()} true, its session is told. */
    void end() {
        closed = true;
        fileCalls.leave();
        outbound.close();
        requests.close();
        gate.close();
        belongings.values().forEach(Belonging::connectionEnded);
        Session last = session;
        if (last != null) {
            last.connectionLost(this);
        }
        if (turn.passedOn()) {
            transport.close(CloseReason.NORMAL); // the thread that served it first may be writing still, to nobody
        }
    }
}
