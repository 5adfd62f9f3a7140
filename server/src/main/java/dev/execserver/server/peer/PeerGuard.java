package dev.execserver.server.peer;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.peer.LocalPeers;
import dev.execserver.sandbox.peer.LocalPeers.Connection;
import dev.execserver.sandbox.peer.PeerOrigin;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.transport.PeerCheck;
import dev.execserver.server.transport.auth.LocalPeer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses connections of sandboxed commands: a server that runs programs would let them out of their sandbox. Each connection is checked
 * once. Local connections whose owner cannot be found are refused too, unless clients have to authenticate: no sandboxed command sees the
 * secret.
 *
 * <p>Connection threads call. They wait for one platform thread, which reads /proc once for all that wait. No locks.
 */
public final class PeerGuard implements PeerCheck, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerGuard.class);
    private static final int MAX_WAITING = 1024;
    private static final long LIMIT_SECONDS = 20;
    private static final int ROOT = 0;

    private static final String ADVICE =
            "; a command in a sandbox may not use a server that runs programs outside of it (SECURITY.md)";

    private static final String ENDING = "the server is ending";
    private static final String TOO_MANY = "too many connections have to be looked at";

    private final LocalPeers peers;
    private final boolean authenticates;
    private final Set<Integer> users;
    private final Optional<String> obstacle;
    private final BlockingQueue<Question> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ExecutorService looks = Threads.oneDaemon("peers");

    /** A look at a peer by the thread for that, with the wait for its answer. */
    @FunctionalInterface
    private interface Look {
        PeerOrigin answer() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private record Question(Connection connection, CompletableFuture<PeerOrigin> answer) {}

    /**
     * Makes a guard.
     *
     * @param authenticates true if every client on a network has to show a secret
     * @param users who may use Unix sockets, besides the server's own user and root
     */
    public PeerGuard(boolean authenticates, Collection<Integer> users) {
        this.users = Set.copyOf(users);
        this.authenticates = authenticates;
        this.peers = LocalPeers.ofThisProcess();
        this.obstacle = peers.obstacle();
    }

    @Override
    public Optional<String> refusal(InetSocketAddress peer, InetSocketAddress local) {
        if (obstacle.isPresent()) {
            return Optional.empty();
        }
        return switch (ask(new Connection(peer, local))) {
            case PeerOrigin.Elsewhere(),
                    PeerOrigin.OtherUser(int _),
                    PeerOrigin.Unconfined(int _),
                    PeerOrigin.Outside() -> Optional.empty();
            case PeerOrigin.Confined(int pid) ->
                Optional.of("this connection belongs to process " + pid + ", which runs in a sandbox" + ADVICE);
            case PeerOrigin.Relayed() ->
                Optional.of("this connection was made by an exec-server on behalf of a command" + ADVICE);
            case PeerOrigin.Unexplained(String why)
            when authenticates -> {
                LOG.debug("{}: {}; it has to authenticate", peer, why);
                yield Optional.empty();
            }
            case PeerOrigin.Unexplained(String why) ->
                Optional.of(
                        "this connection may belong to a command in a sandbox, because who is behind it cannot be told: "
                                + why + ADVICE + "; a server with --ws-auth lets it authenticate");
        };
    }

    @Override
    public Optional<String> refusal(LocalPeer peer) {
        if (peer.uid() != ROOT && !peers.isThisUser(peer.uid()) && !users.contains(peer.uid())) {
            return Optional.of("user " + peer.uid() + " may not use this socket; --allow-uid names who may");
        }
        if (obstacle.isPresent()) {
            return Optional.empty();
        }
        return switch (ask(peer)) {
            case PeerOrigin.OtherUser(int _), PeerOrigin.Unconfined(int _), PeerOrigin.Outside() -> Optional.empty();
            case PeerOrigin.Confined(int pid) ->
                Optional.of("this connection belongs to process " + pid + ", which runs in a sandbox" + ADVICE);
            case PeerOrigin.Elsewhere(), PeerOrigin.Relayed() -> Optional.of("a Unix socket has no such peers");
            case PeerOrigin.Unexplained(String why) ->
                Optional.of(
                        "this connection may belong to a command in a sandbox, because who is behind it cannot be told: "
                                + why + ADVICE);
        };
    }

    private PeerOrigin ask(LocalPeer peer) {
        return told(() ->
                looks.submit(() -> peers.ofSocket(peer.inode(), peer.uid())).get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }

    private PeerOrigin ask(Connection connection) {
        Question question = new Question(connection, new CompletableFuture<>());
        if (!waiting.offer(question)) {
            return new PeerOrigin.Unexplained(TOO_MANY);
        }
        return told(() -> {
            looks.execute(this::answerAll);
            return question.answer().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        });
    }

    /** Waits for an answer of the thread that looks; any failure leaves the peer unexplained. */
    private static PeerOrigin told(Look look) {
        try {
            return look.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new PeerOrigin.Unexplained(ENDING);
        } catch (RejectedExecutionException e) {
            return new PeerOrigin.Unexplained(ENDING);
        } catch (TimeoutException e) {
            return new PeerOrigin.Unexplained(TOO_MANY);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LinuxException cause) {
                return new PeerOrigin.Unexplained(cause.getMessage());
            }
            throw new IllegalStateException("the look at a connection has failed", e.getCause());
        }
    }

    private void answerAll() {
        List<Question> questions = new ArrayList<>();
        waiting.drainTo(questions);
        if (questions.isEmpty()) {
            return; // answered together with another one
        }
        try {
            Map<Connection, PeerOrigin> origins =
                    peers.of(questions.stream().map(Question::connection).toList());
            questions.forEach(each -> each.answer().complete(origins.get(each.connection())));
        } catch (RuntimeException e) {
            questions.forEach(each -> each.answer().completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
