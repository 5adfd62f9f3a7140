package dev.execserver.server.peer;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.peer.LocalPeers;
import dev.execserver.sandbox.peer.PeerOrigin;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.transport.PeerCheck;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses connections of sandboxed commands: a server that runs programs would let them out of their sandbox. While no
 * sandboxed command of this user has the network, a check costs one system call. Local connections whose owner cannot
 * be found are refused too, unless clients have to authenticate: no sandboxed command sees the secret.
 *
 * <p>Connection threads call. They wait for one of two platform threads, which read /proc. No locks.
 */
public final class PeerGuard implements PeerCheck, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerGuard.class);
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 1024;
    private static final long LIMIT_SECONDS = 20;

    private static final String ADVICE =
            "; a command in a sandbox may not use a server that runs programs outside of it (SECURITY.md)";

    private final UserServers servers;
    private final LocalPeers peers;
    private final boolean authenticates;
    private final Optional<String> obstacle;
    private final ThreadPoolExecutor looks = new ThreadPoolExecutor(
            THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), Threads.daemons("peers"));

    /** @param authenticates true if every client has to show a secret */
    public PeerGuard(UserServers servers, boolean authenticates) {
        this.servers = servers;
        this.authenticates = authenticates;
        this.peers = LocalPeers.ofThisProcess();
        this.obstacle = peers.obstacle();
        looks.allowCoreThreadTimeOut(true);
    }

    @Override
    public Optional<String> refusal(InetSocketAddress peer, InetSocketAddress local) {
        if (obstacle.isPresent() || !servers.networkInUse()) {
            return Optional.empty();
        }
        Optional<String> reason = switch (look(peer, local)) {
            case PeerOrigin.Elsewhere(), PeerOrigin.OtherUser(int _), PeerOrigin.Unconfined(int _) ->
                Optional.<String>empty();
            case PeerOrigin.Confined(int pid) ->
                Optional.of("this connection belongs to process " + pid + ", which runs in a sandbox" + ADVICE);
            case PeerOrigin.Unexplained(String why)
            when authenticates -> {
                LOG.debug("{}: {}; it has to authenticate", peer, why);
                yield Optional.empty();
            }
            case PeerOrigin.Unexplained(String why) ->
                Optional.of("sandboxed commands have the network, and who is behind this connection cannot be told: "
                        + why + ADVICE + "; a server with --ws-auth lets it authenticate");
        };
        reason.ifPresent(text -> LOG.warn("connection from {} refused: {}", peer, text));
        return reason;
    }

    private PeerOrigin look(InetSocketAddress peer, InetSocketAddress local) {
        FutureTask<PeerOrigin> look = new FutureTask<>(() -> peers.of(peer, local));
        try {
            looks.execute(look);
            return look.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new PeerOrigin.Unexplained("the server is ending");
        } catch (TimeoutException | RejectedExecutionException e) {
            look.cancel(false);
            return new PeerOrigin.Unexplained("too many connections have to be looked at");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LinuxException cause) {
                return new PeerOrigin.Unexplained(cause.getMessage());
            }
            throw new IllegalStateException("the look at a connection has failed", e.getCause());
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
