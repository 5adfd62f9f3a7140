package dev.execserver.server.process.client;

import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.exec.ApprovalClient;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.client.ClientRequests.OpenQuestion;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects the decisions about the programs of one process with the client of the session, and its approvers.
 *
 * <p>The starting request and threads of the interception ask, the thread that ends the process closes. No locks of its own.
 */
public final class ApprovalLink implements ApprovalClient {

    private final ClientRequests client;
    private final DecisionQueue decisions;
    private final CountDownLatch announced = new CountDownLatch(1);
    private final Set<OpenQuestion> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public ApprovalLink(String processId, ClientRequests client) {
        this.client = client;
        decisions = new DecisionQueue(processId);
    }

    @Override
    public Optional<Reply> ask(ExecApprovalRequest question, boolean own, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!own && !announced.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        OpenQuestion asked = client.ask(question);
        open.add(asked);
        boolean over = true;
        try {
            if (closed) {
                return Optional.empty();
            }
            Reply reply = asked.reply().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            over = false;
            return Optional.of(reply);
        } catch (TimeoutException e) {
            over = false;
            return Optional.empty();
        } catch (CancellationException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reply never fails", e);
        } finally {
            open.remove(asked);
            asked.close(over);
        }
    }

    @Override
    public void report(String method, JsonWritable params) {
        decisions.add(method, params);
    }

    /** Called when the start was answered or another connection has resumed the session. */
    public void attach(Outbound connection) {
        decisions.attach(connection);
        announce();
    }

    /** Called when the start was answered, or its answer is that of the whole command. */
    public void announce() {
        announced.countDown();
    }

    public void detach() {
        decisions.detach();
    }

    /** Ends all open questions, because nobody may answer them any more. */
    public void close() {
        closed = true;
        announced.countDown();
        open.forEach(asked -> asked.reply().cancel(false));
    }
}
