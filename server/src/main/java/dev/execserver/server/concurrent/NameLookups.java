package dev.execserver.server.concurrent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks names up on threads of their own kind, because the C library may wait for a name server as long as it likes. Any
 * thread may call; no locks.
 */
public final class NameLookups implements AutoCloseable {

    /** Look-ups that may hang at once. */
    public static final int THREADS = 8;

    /** Further ones that wait for them; one more is refused. */
    public static final int MAX_WAITING = 1024;

    private final ThreadPoolExecutor pool;

    /** @param name of the threads */
    public NameLookups(String name) {
        this.pool = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), Threads.daemons(name));
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * The addresses of a host.
     *
     * @throws RejectedExecutionException when too many wait already
     */
    public CompletableFuture<List<InetAddress>> lookUp(String host) {
        CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
        pool.execute(() -> {
            try {
                found.complete(List.of(InetAddress.getAllByName(host)));
            } catch (Exception e) {
                found.completeExceptionally(e);
            }
        });
        return found;
    }

    /**
     * The addresses of a host, waited for.
     *
     * @throws IOException when there are none, or none in time
     */
    public List<InetAddress> lookUp(String host, Duration limit) throws IOException, InterruptedException {
        try {
            return lookUp(host).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            UnknownHostException failure = new UnknownHostException("host name cannot be resolved: " + host);
            failure.initCause(e);
            throw failure;
        } catch (RejectedExecutionException e) {
            throw new IOException(MAX_WAITING + " look-ups of host names wait for the name server already", e);
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
