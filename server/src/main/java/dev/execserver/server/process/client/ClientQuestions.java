package dev.execserver.server.process.client;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions of one process to the client of its session. A question whose connection is lost is sent again on the connection
 * that resumes the session, within its time limit.
 *
 * <p>Any thread asks, the thread that ends the process closes. No locks of its own.
 */
public final class ClientQuestions {

    private static final Logger LOG = LoggerFactory.getLogger(ClientQuestions.class);

    private final ClientRequests client;
    private final CountDownLatch announced = new CountDownLatch(1);
    private final Set<Future<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public ClientQuestions(ClientRequests client) {
        this.client = client;
    }

    /**
     * Asks after the start of the process was answered.
     *
     * @param reader reads the answer, or throws RpcException if it has none
     * @return empty if no valid answer came in time
     */
    public <T> Optional<T> ask(String method, JsonWritable question, Duration limit, Function<JsonSlice, T> reader)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!announced.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        return askAtOnce(method, question, Duration.ofNanos(deadline - System.nanoTime()), reader);
    }

    private <T> Optional<T> askAtOnce(
            String method, JsonWritable question, Duration limit, Function<JsonSlice, T> reader)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!closed && deadline - System.nanoTime() > 0) {
            Optional<CompletableFuture<JsonSlice>> sent =
                    client.send(method, question, Duration.ofNanos(deadline - System.nanoTime()));
            if (sent.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(reader.apply(await(sent.get(), deadline)));
            } catch (ConnectionLostException e) {
                LOG.debug("a question {} was lost with its connection", method);
            } catch (TimeoutException | RpcException e) {
                LOG.debug("no answer to {}: {}", method, e.toString());
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

    /** Called when the start was answered or another connection has resumed the session. */
    public void announce() {
        announced.countDown();
    }

    /** Ends all open questions, because the process is over. */
    public void close() {
        closed = true;
        announced.countDown();
        open.forEach(answer -> answer.cancel(false));
    }
}
