package dev.execserver.server.process;

import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.proxy.PolicyClient;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the proxy of one process with the client of the session. Asks nothing before the start of the process was
 * answered. A question whose connection is lost is sent again on the connection that resumes the session, within its
 * time limit.
 *
 * <p>Threads of the proxy ask, the thread that ends the process closes. No locks of its own.
 */
final class PolicyLink implements PolicyClient {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyLink.class);

    private final ClientRequests client;
    private final CountDownLatch announced = new CountDownLatch(1);
    private final Set<Future<?>> open = ConcurrentHashMap.newKeySet();
    private final DecisionQueue decisions = new DecisionQueue();
    private volatile boolean closed;

    PolicyLink(ClientRequests client) {
        this.client = client;
    }

    @Override
    public Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!announced.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        while (!closed && deadline - System.nanoTime() > 0) {
            Optional<CompletableFuture<JsonSlice>> sent =
                    client.send(NetMethodNames.POLICY_REQUEST, request, Duration.ofNanos(deadline - System.nanoTime()));
            if (sent.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(PolicyAnswer.read(await(sent.get(), deadline), Dialect.OPEN));
            } catch (ConnectionLostException e) {
                LOG.debug("a question about {} was lost with its connection", request.host());
            } catch (TimeoutException | RpcException e) {
                LOG.debug("no answer about {}: {}", request.host(), e.toString());
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Thrown when the connection of a question is lost. */
    private static final class ConnectionLostException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private JsonSlice await(CompletableFuture<JsonSlice> answer, long deadline)
            throws InterruptedException, TimeoutException, ConnectionLostException {
        open.add(answer);
        try {
            if (closed) {
                throw new TimeoutException("the process has ended");
            }
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RpcException refused) {
                throw refused;
            }
            throw new ConnectionLostException();
        } catch (CancellationException e) {
            throw new TimeoutException("the process has ended");
        } finally {
            open.remove(answer);
            answer.cancel(false);
        }
    }

    @Override
    public void decided(PolicyDecision decision) {
        decisions.add(decision);
    }

    /** Called when the start was answered or another connection has resumed the session. */
    void attach(Outbound connection) {
        decisions.attach(connection);
        announced.countDown();
    }

    void detach() {
        decisions.detach();
    }

    /** Ends all open questions, because the process is over. */
    void close() {
        closed = true;
        announced.countDown();
        open.forEach(answer -> answer.cancel(false));
    }
}
