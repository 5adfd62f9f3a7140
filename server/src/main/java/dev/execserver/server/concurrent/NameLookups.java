package dev.execserver.server.concurrent;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks up host names on platform threads of its own, because the C library may wait for a name server as long as it
 * likes. Any thread may call; no locks.
 */
public final class NameLookups implements AutoCloseable {

    /** Look-ups that may wait for a thread; one more is refused. */
    public static final int MAX_WAITING = 1024;

    private final ThreadPoolExecutor pool;

    /**
     * Makes no thread before it is needed.
     *
     * @param name name of the threads
     * @param threads look-ups that may hang at once
     */
    public NameLookups(String name, int threads) {
        this.pool = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), Threads.daemons(name));
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * Looks up the addresses of a host.
     *
     * @throws RejectedExecutionException when too many look-ups wait already
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

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
