package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Who knows the addresses of a name. */
@FunctionalInterface
interface Names {

    /** @throws java.util.concurrent.RejectedExecutionException when too many look-ups wait already */
    CompletableFuture<List<InetAddress>> lookUp(String host);
}
