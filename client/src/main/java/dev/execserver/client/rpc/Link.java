package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Session and its current connection. If the connection is lost, the link resumes the session on another one.
 * Repeatable calls are repeated, unsent calls wait, all others fail. {@code lock} guards the state.
 */
public final class Link implements AutoCloseable {

    /** Text of the close frame if another client has taken the session; there is no use in trying to get it back. */
    private static final String TAKEN_OVER = "resumed by another connection";

    /** Text of the close frame of a server that stops; its sessions end with it. A proxy sends another text. */
    private static final String SERVER_ENDS = "1001 server is shutting down";

    private final ConnectionOpener dialer;
    private final LinkOptions options;
    private final LinkListener listener;
    private final Connection.Owner owner = new Owner();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Call> waiting = new ArrayList<>();
    private Optional<Connection> connection = Optional.empty();
    private Supplier<ConnectionLostException> ending;
    private volatile InitializeAnswer greeting;

    Link(ConnectionOpener dialer, LinkOptions options, LinkListener listener) {
        this.dialer = dialer;
        this.options = options;
        this.listener = listener;
    }

    /** Returns the server's answer in the latest handshake. */
    public InitializeAnswer greeting() {
        return greeting;
    }

    /**
     * Sends a request and waits for its answer, even over a reconnect.
     *
     * @param limit for the answer, counted while there is a connection; no limit if empty
     * @throws dev.execserver.client.error.RequestFailedException when the server answers with an error
     * @throws dev.execserver.client.error.RequestTimeoutException when the limit has passed
     * @throws ConnectionLostException when the link has ended or ends, or the request must not be repeated
     */
    public JsonSlice call(String method, JsonWritable params, AfterLoss afterLoss, Optional<Duration> limit)
            throws InterruptedException {
        return await(begin(method, params, afterLoss, ClientTransport.MAX_MESSAGE_BYTES), limit);
    }

    /** Sends a request without waiting for its answer. Requests of one thread leave in the order of these calls. */
    Call begin(String method, JsonWritable params, AfterLoss afterLoss, int maxAnswerBytes) {
        Call call = new Call(method, inTheWordsOfTheServer(params), afterLoss, maxAnswerBytes);
        dispatch(call);
        return call;
    }

    JsonSlice await(Call call, Optional<Duration> limit) throws InterruptedException {
        boolean answered = false;
        try {
            JsonSlice answer = call.await(limit);
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                forget(call);
            }
        }
    }

    /** Sends a request whose answer nobody waits for. Never throws; does nothing if the link has ended. */
    public void send(String method, JsonWritable params) {
        Call call = new Call(method, inTheWordsOfTheServer(params), AfterLoss.REPEAT);
        ClientThreads.virtual("exec-client-send", () -> dispatch(call));
    }

    /** Ends the connection. The session stays on the server for its time to live. */
    @Override
    public void close() {
        end(() -> new ConnectionLostException("closed by this client"));
    }

    /** Takes the first or next connection. Returns false if the connection or the link has ended already. */
    boolean adopt(ConnectionOpener.OpenConnection dialled) {
        List<Call> due;
        lock.lock();
        try {
            if (ending != null || dialled.connection().ended()) {
                return false;
            }
            greeting = dialled.greeting();
            connection = Optional.of(dialled.connection());
            due = List.copyOf(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(this::dispatch);
        return true;
    }

    /** Ends the link. Only the first call has an effect. */
    void end(Supplier<ConnectionLostException> why) {
        List<Call> failed;
        Optional<Connection> last;
        lock.lock();
        try {
            if (ending != null) {
                return;
            }
            ending = why;
            failed = List.copyOf(waiting);
            waiting.clear();
            last = connection;
            connection = Optional.empty();
        } finally {
            lock.unlock();
        }
        failed.forEach(call -> call.fail(why::get));
        last.ifPresent(open -> open.end(why.get().getMessage()));
        listener.ended(why);
    }

    boolean ended() {
        lock.lock();
        try {
            return ending != null;
        } finally {
            lock.unlock();
        }
    }

    Connection.Owner owner() {
        return owner;
    }

    LinkListener listener() {
        return listener;
    }

    private JsonWritable inTheWordsOfTheServer(JsonWritable params) {
        boolean uris = greeting.sessionId().isPresent() && !options.nativePaths();
        return uris ? params : NativePaths.in(params);
    }

    /** Sends the call or lets it wait for the next connection. */
    private void dispatch(Call call) {
        Optional<Connection> target = Optional.empty();
        do {
            Optional<Connection> refused = target;
            lock.lock();
            try {
                if (ending != null) {
                    call.fail(ending::get);
                    return;
                }
                // A connection that refuses has ended, and is about to report its end.
                if (connection.isEmpty() || connection.equals(refused)) {
                    waiting.add(call);
                    return;
                }
                target = connection;
            } finally {
                lock.unlock();
            }
        } while (!submit(target.get(), call));
    }

    private static boolean submit(Connection target, Call call) {
        try {
            return target.submit(call);
        } catch (RuntimeException e) {
            call.fail(() -> new IllegalArgumentException(e.getMessage(), e));
            return true;
        }
    }

    private void forget(Call call) {
        Optional<Connection> current;
        lock.lock();
        try {
            waiting.remove(call);
            current = connection;
        } finally {
            lock.unlock();
        }
        current.ifPresent(open -> open.forget(call));
    }

    private final class Owner implements Connection.Owner {

        @Override
        public void notified(Notification notification) {
            listener.notified(notification);
        }

        @Override
        public Optional<JsonWritable> answer(Request request) {
            return listener.answer(request);
        }

        @Override
        public void warned(String method, List<String> warnings) {
            listener.warned(method, warnings);
        }

        @Override
        public void ended(Connection lost, List<Call> unanswered, String why) {
            if (detach(lost, unanswered, why)) {
                listener.interrupted();
                recover(why);
            }
        }
    }

    /** Sorts the calls of a lost connection. Returns false if it was not the current one. */
    private boolean detach(Connection lost, List<Call> unanswered, String why) {
        List<Call> failed = new ArrayList<>();
        boolean current;
        lock.lock();
        try {
            current = connection.filter(lost::equals).isPresent();
            if (current) {
                connection = Optional.empty();
            }
            for (Call call : unanswered) {
                if (current && call.repeatable()) {
                    call.unsent();
                    waiting.add(call);
                } else {
                    failed.add(call);
                }
            }
        } finally {
            lock.unlock();
        }
        failed.forEach(call -> call.fail(() -> new ConnectionLostException(call.method() + ": " + why)));
        return current;
    }

    private void recover(String why) {
        if (why.contains(TAKEN_OVER)) {
            end(() -> new SessionLostException("another client has taken over the session: " + why));
        } else if (why.startsWith(SERVER_ENDS)) {
            end(() -> new SessionLostException("the server has ended the session and its programs: " + why, true));
        } else if (!options.reconnect().enabled() || !dialer.reconnectable()) {
            end(() -> new ConnectionLostException(why));
        } else if (greeting.sessionId().isEmpty()) {
            end(() -> new ConnectionLostException(why + "; the server has no sessions to resume"));
        } else {
            ClientThreads.virtual(
                    "exec-client-reconnect", new Reconnector(this, dialer, options.reconnect(), why)::run);
        }
    }
}
