package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks up the addresses of a name. */
@FunctionalInterface
public interface ProxyNameLookup {

    /** @throws java.util.concurrent.RejectedExecutionException if too many look-ups wait */
    CompletableFuture<List<InetAddress>> lookUp(String host);
}
