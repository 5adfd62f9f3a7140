package dev.execserver.server.proxy;

import dev.execserver.sandbox.connect.ConnectPolicy;
import dev.execserver.sandbox.connect.ConnectRequest;
import dev.execserver.sandbox.connect.InnerListeners;
import dev.execserver.sandbox.connect.Passage;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.names.NameResponder;
import dev.execserver.server.names.SyntheticNames;
import dev.execserver.server.network.BridgedConnection;
import dev.execserver.server.proxy.http.ConnectionTimer;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.rules.HostName;
import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.Ruling;
import dev.execserver.server.rules.ConnectingProgram;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves the programs of one command that know no proxy: answers about names, decides about each TCP connection before it is open, and
 * carries it. The destination is connected to first, so that the program sees in connect(2) whether it could be reached.
 *
 * <p>A decided connection is recognized by its port inside; one without a decision is closed. Any number of virtual threads, no locks.
 */
final class TransparentTcp implements ConnectPolicy, AutoCloseable {
    /** Connections of one command that are decided, connected or announced at once; more fail with EAGAIN. */
    private static final int MAX_OPENING = 1024;
    /** Names of refused look-ups that are reported; each once. */
    private static final int MAX_REPORTED = 1024;
    /**
     * Longest wait of a program that does not wait in connect(2) for the destination. Then the connection opens, and ends if the
     * destination cannot be reached.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ProxyParts parts;
    private final OpenConnections connections;
    private final ProxySockets sockets;
    private final Timers timers;
    private final SyntheticNames names = new SyntheticNames();
    private final Map<Integer, LedConnection> expected = new ConcurrentHashMap<>();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final Semaphore opening = new Semaphore(MAX_OPENING);
    private final InnerListeners inner = new InnerListeners();
    private final int innerPort;

    /** @param innerPort the port inside that leads to {@link #serve} */
    TransparentTcp(ProxyParts parts, OpenConnections connections, ProxySockets sockets, Timers timers, int innerPort) {
        this.parts = parts;
        this.connections = connections;
        this.sockets = sockets;
        this.timers = timers;
        this.innerPort = innerPort;
    }

    /** Returns the answer about a name that the command looks up. Asks nobody. */
    NameResponder.Answer lookUp(String asked) {
        Optional<String> name = HostName.normalize(asked);
        if (name.isEmpty() || HostName.literal(name.get()).isPresent()) {
            return new NameResponder.Answer.Unknown();
        }
        if (HostName.isLocalName(name.get())) {
            return new NameResponder.Answer.Found(InetAddress.ofLiteral("127.0.0.1"));
        }
        Optional<Ruling.Refused> refused = parts.judge().hopeless(nameAlone(name.get()));
        if (refused.isPresent()) {
            report(name.get(), refused.get());
            return new NameResponder.Answer.Unknown();
        }
        return names.addressOf(name.get())
                .<NameResponder.Answer>map(NameResponder.Answer.Found::new)
                .orElseGet(NameResponder.Answer.Failure::new);
    }

    private void report(String name, Ruling.Refused refused) {
        if (reported.size() < MAX_REPORTED && reported.add(name)) {
            ProxyDestination target = nameAlone(name);
            parts.judge().report(target, refused);
            Exchange exchange = new Exchange(target);
            exchange.ruled(refused);
            parts.log().write(exchange);
        }
    }

    private static ProxyDestination nameAlone(String name) {
        return ProxyDestination.plain(name, 0, Optional.empty());
    }

    @Override
    public boolean leadsOut(int port) {
        return parts.judge().localHost(port).isPresent();
    }

    @Override
    public InnerListeners inner() {
        return inner;
    }

    private String host(InetAddress address, int port, Optional<ConnectingProgram> program) {
        if (address.isLoopbackAddress()) {
            return parts.judge().localHost(port, program).orElseGet(() -> HostName.text(address));
        }
        return names.nameOf(address).orElseGet(() -> HostName.text(address));
    }

    @Override
    public Answer decide(ConnectRequest request) throws InterruptedException {
        int port = request.destination().getPort();
        if (port == 0) {
            return new Answer.Refused(Errno.ECONNREFUSED);
        }
        if (!opening.tryAcquire()) {
            return new Answer.Refused(Errno.EAGAIN);
        }
        Optional<ConnectingProgram> program = ConnectingProgram.of(request.pid());
        String host = host(request.destination().getAddress(), port, program);
        Exchange exchange = new Exchange(ProxyDestination.plain(host, port, program));
        LedConnection led = null;
        try {
            Ruling ruling = parts.judge().judge(exchange.target());
            exchange.ruled(ruling);
            Answer answer = switch (ruling) {
                case Ruling.Refused _ -> new Answer.Refused(Errno.EACCES);
                case Ruling.Unknown _ -> new Answer.Refused(Errno.EHOSTUNREACH);
                case Ruling.Permitted permitted -> {
                    led = new LedConnection(exchange);
                    yield open(led, permitted, request.nonBlocking());
                }
            };
            if (answer instanceof Answer.Refused) {
                parts.log().write(exchange);
            }
            return answer;
        } catch (InterruptedException | RuntimeException e) {
            Optional.ofNullable(led).ifPresent(LedConnection::cancel);
            throw e;
        } finally {
            if (led == null) {
                opening.release();
            }
        }
    }

    /** Connects to the destination. */
    private Answer open(LedConnection led, Ruling.Permitted permitted, boolean nonBlocking)
            throws InterruptedException {
        Threads.virtual("transparent-connect", () -> led.connect(permitted));
        try {
            if (nonBlocking) {
                led.wire.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                led.wire.get();
            }
        } catch (TimeoutException e) {
            return new Answer.Led(led); // its end will tell
        } catch (ExecutionException e) {
            led.release();
            return new Answer.Refused(errno(e.getCause()));
        }
        return new Answer.Led(led);
    }

    private static int errno(Throwable failure) {
        return switch (failure.getCause()) {
            case ConnectException _ -> Errno.ECONNREFUSED;
            case SocketTimeoutException _ -> Errno.ETIMEDOUT;
            case null, default -> Errno.EHOSTUNREACH;
        };
    }

    /** Serves a connection that has come out of the command's network. */
    void serve(BridgedConnection connection) throws IOException {
        Optional<LedConnection> led =
                connection.socket().use(fd -> TcpCalls.peerAddress(fd)).map(peer -> expected.remove(peer.getPort()));
        if (led.isEmpty()) {
            return; // nobody has decided about it
        }
        led.get().release();
        ProxyConnection visit = new ProxyConnection(sockets.bridged(connection.socket()), timers);
        if (!connections.awaitRoom() || !connections.add(visit)) {
            led.get().cancel();
            return;
        }
        try (visit) {
            led.get().relay(visit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(visit);
        }
    }

    @Override
    public void close() {
        expected.values().forEach(LedConnection::cancel);
        inner.close();
    }

    /** One connection, from its permission to its end. The deciding thread, that of its connect and that of its relay enter. */
    private final class LedConnection implements Passage {
        private final Exchange exchange;
        private final CompletableFuture<TcpConnection> wire = new CompletableFuture<>();
        private final ConnectionTimer watch = new ConnectionTimer(timers, this::cancel);
        private final AtomicBoolean released = new AtomicBoolean();
        private volatile int sourcePort;
        private volatile boolean cancelled;

        LedConnection(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public int innerPort() {
            return innerPort;
        }

        void connect(Ruling.Permitted permitted) {
            try {
                TcpConnection made = parts.outgoing().tunnel(exchange.target(), permitted.addresses(), watch, _ -> {});
                if (!wire.complete(made) || cancelled) {
                    made.close();
                }
            } catch (IOException e) {
                exchange.ended("unreachable: " + e.getMessage());
                wire.completeExceptionally(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                wire.completeExceptionally(e);
            } catch (RuntimeException e) {
                wire.completeExceptionally(e);
                throw e;
            }
        }

        @Override
        public void expect(int port) {
            sourcePort = port;
            watch.within(parts.bounds().headTime());
            Optional.ofNullable(expected.put(port, this)).ifPresent(LedConnection::cancel);
        }

        /** Returns the place among those that are opened. */
        void release() {
            if (released.compareAndSet(false, true)) {
                opening.release();
            }
        }

        @Override
        public void cancel() {
            if (!cancelled && expected.remove(sourcePort, this)) {
                exchange.ended("given up");
                parts.log().write(exchange);
            }
            cancelled = true;
            watch.close();
            release();
            wire.cancel(false);
            wire.whenComplete((made, failure) -> Optional.ofNullable(made).ifPresent(TcpConnection::close));
        }

        void relay(ProxyConnection visit) throws IOException, InterruptedException {
            watch.close();
            try {
                TcpConnection target = wire.get();
                visit.opened(target);
                visit.watch().idle(parts.bounds().idle());
                DuplexRelay.run(visit, target, new PeerInput(target.input(), visit.watch()), exchange);
                exchange.ended(visit.watch().expired() ? "idle" : "closed");
            } catch (ExecutionException e) {
                throw new IOException("the destination cannot be reached", e);
            } finally {
                parts.log().write(exchange);
            }
        }
    }
}
