package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.NameLookups;
import dev.execserver.server.concurrent.Threads;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * HTTP clients of the JDK and their threads. One client connects directly, one through the proxies of the environment;
 * each is made on first use.
 *
 * <p>Any thread. The monitor guards the two clients; a thread of the pool makes them.
 */
public final class HttpClients implements AutoCloseable {

    /** Threads of the JDK's clients. They compute, and may look up the hosts of https URLs once more. */
    private static final int WORKERS = 8;

    /** Largest number of name look-ups that run at once; each may hang. */
    private static final int LOOKUPS = 8;

    /** Headers that the JDK's client accepts only if this property is set before its first use. */
    private static final String SETTABLE_HEADERS = "connection,expect,host,upgrade";

    static {
        // Both are read once in the life of the JVM. Values that an embedding program has set are kept.
        setUnlessSet("jdk.httpclient.allowRestrictedHeaders", SETTABLE_HEADERS);
        setUnlessSet("jdk.http.auth.tunneling.disabledSchemes", "");
    }

    private final ThreadPoolExecutor workers = pool("http", WORKERS, Integer.MAX_VALUE);
    private final NameLookups lookups = new NameLookups("http-names", LOOKUPS);
    private final Proxies proxies;
    private final String userAgent;
    private Optional<CompletableFuture<HttpClient>> direct = Optional.empty();
    private Optional<CompletableFuture<HttpClient>> proxied = Optional.empty();
    private boolean closed;

    /**
     * Creates nothing before its first use.
     *
     * @param environment the environment with the proxy variables
     * @param userAgent value of User-Agent for requests that have none
     */
    public HttpClients(Map<String, String> environment, String userAgent) {
        this.proxies = new Proxies(environment);
        this.userAgent = userAgent;
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static ThreadPoolExecutor pool(String name, int threads, int waiting) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(waiting), Threads.daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    Proxies proxies() {
        return proxies;
    }

    String userAgent() {
        return userAgent;
    }

    /** Returns the client for requests through a proxy, or for direct requests. */
    synchronized CompletableFuture<HttpClient> client(boolean throughProxy) {
        if (closed) {
            throw RpcException.internal("the server is ending").withData("reason", "shuttingDown");
        }
        if (throughProxy) {
            proxied = proxied.or(() -> Optional.of(CompletableFuture.supplyAsync(() -> make(true), workers)));
            return proxied.get();
        }
        direct = direct.or(() -> Optional.of(CompletableFuture.supplyAsync(() -> make(false), workers)));
        return direct.get();
    }

    /** Makes a client. Runs on a thread of the pool, because it reads the certificates of the authorities. */
    private HttpClient make(boolean throughProxy) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(workers)
                .proxy(throughProxy ? proxies : HttpClient.Builder.NO_PROXY)
                .connectTimeout(Duration.ofMinutes(2))
                .build();
    }

    /**
     * Looks up a name, see {@link NameLookups}.
     *
     * @throws RpcException -32603 with {@code data.reason = "lookupsBusy"} if too many look-ups wait
     */
    CompletableFuture<List<InetAddress>> lookUp(String host) {
        try {
            return lookups.lookUp(host);
        } catch (RejectedExecutionException full) {
            throw RpcException.internal("http/request failed: " + NameLookups.MAX_WAITING
                            + " look-ups of host names wait for the name server already")
                    .withData("reason", "lookupsBusy");
        }
    }

    /** Aborts every running request. */
    @Override
    public synchronized void close() {
        closed = true;
        direct.ifPresent(client -> client.thenAccept(HttpClient::shutdownNow));
        proxied.ifPresent(client -> client.thenAccept(HttpClient::shutdownNow));
        lookups.close();
        workers.shutdown();
    }
}
