package dev.execserver.server.proxy.rules;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks up names for one process. Limits the look-ups at once, so that a process whose look-ups hang does not block
 * those of others. Any thread.
 */
public final class Resolver {

    private final ProxyNameLookup names;
    private final Semaphore room;
    private final Duration limit;

    public Resolver(ProxyNameLookup names, int atOnce, Duration limit) {
        this.names = names;
        this.room = new Semaphore(atOnce);
        this.limit = limit;
    }

    /**
     * @throws IOException if the name has no address, or none was found in time; the message is meant for the process
     */
    public List<InetAddress> lookUp(String host) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!room.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException("host name cannot be resolved in time: " + host);
        }
        CompletableFuture<List<InetAddress>> found = begin(host);
        // A look-up that hangs keeps its permit after this method has given up.
        var _ = found.whenComplete((addresses, failure) -> room.release());
        try {
            return found.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("host name cannot be resolved in time: " + host, e);
        } catch (ExecutionException e) {
            UnknownHostException failure = new UnknownHostException("host name cannot be resolved: " + host);
            failure.initCause(e);
            throw failure;
        }
    }

    private CompletableFuture<List<InetAddress>> begin(String host) {
        try {
            return names.lookUp(host);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
