package dev.execserver.server.proxy;

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
 * Looks names up for one process: a bounded number at once, so that a process that asks for names that nobody answers for
 * does not keep the others from theirs. Any thread.
 */
final class Resolver {

    private final Names names;
    private final Semaphore room;
    private final Duration limit;

    Resolver(Names names, int atOnce, Duration limit) {
        this.names = names;
        this.room = new Semaphore(atOnce);
        this.limit = limit;
    }

    /** @throws IOException when there are none, or none in time; the message is for the process to read */
    List<InetAddress> lookUp(String host) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!room.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException("host name cannot be resolved in time: " + host);
        }
        CompletableFuture<List<InetAddress>> found = begin(host);
        // One that hangs keeps its room after we have given up.
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
