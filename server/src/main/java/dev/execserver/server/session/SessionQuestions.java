package dev.execserver.server.session;

import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.exec.ApprovalClient;
import dev.execserver.server.process.client.ClientRequests;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests of the processes of one session to its connection, and questions about programs also to its approvers: connections that
 * have not the session, but a right to answer. Open questions are asked again of each connection that comes.
 *
 * <p>Processes ask, reader threads attach and leave. {@code lock} guards the fields and those of the questions; it is taken after the
 * lock of the session and is never held while something waits.
 */
final class SessionQuestions implements ClientRequests {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition attached = lock.newCondition();
    private final Set<ApprovalQuestion> open = new LinkedHashSet<>();
    private final Map<String, Attachment> approvers = new LinkedHashMap<>();
    private Optional<Attachment> client;
    private boolean ended;

    SessionQuestions(Attachment first) {
        client = Optional.of(first);
    }

    /** Called when this connection has the session from now on. */
    void attached(Attachment connection) {
        lock.lock();
        try {
            client = Optional.of(connection);
            approvers.values().removeIf(connection::equals);
            open.forEach(question -> question.ask(connection, Optional.empty()));
            attached.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Called when no connection has the session any more. */
    void detached() {
        lock.lock();
        try {
            client = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Called when the session has ended. Its processes close their questions themselves. */
    void end() {
        lock.lock();
        try {
            ended = true;
            approvers.clear();
            attached.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<CompletableFuture<JsonSlice>> send(String method, JsonWritable params, Duration limit)
            throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (client.isEmpty() && !ended && left > 0) {
                left = attached.awaitNanos(left);
            }
            return ended ? Optional.empty() : client.map(connection -> connection.ask(method, params));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OpenQuestion ask(ExecApprovalRequest params) {
        ApprovalQuestion question = new ApprovalQuestion(lock, params);
        lock.lock();
        try {
            open.add(question);
            // The client last: it is known then if somebody else can answer when it cannot be asked.
            approvers.forEach((right, connection) -> question.ask(connection, Optional.of(right)));
            client.ifPresent(connection -> question.ask(connection, Optional.empty()));
        } finally {
            lock.unlock();
        }
        return new Closing(question);
    }

    private final class Closing implements OpenQuestion {
        private final ApprovalQuestion question;

        Closing(ApprovalQuestion question) {
            this.question = question;
        }

        @Override
        public CompletableFuture<ApprovalClient.Reply> reply() {
            return question.reply();
        }

        @Override
        public void close(boolean over) {
            lock.lock();
            try {
                open.remove(question);
                question.close(over);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Asks this connection too from now on, if it is not asked already; another one with the same right is asked no more. */
    void join(String right, Attachment connection) {
        lock.lock();
        try {
            if (!ended && approvers.put(right, connection) != connection) {
                open.forEach(question -> question.ask(connection, Optional.of(right)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Asks this connection no more by this right. */
    void leave(String right, Attachment connection) {
        lock.lock();
        try {
            approvers.remove(right, connection);
        } finally {
            lock.unlock();
        }
    }
}
