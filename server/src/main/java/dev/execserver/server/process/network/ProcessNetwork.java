package dev.execserver.server.process.network;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.process.Denial;
import dev.execserver.sandbox.connect.AllowedSockets;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.network.BridgeRoute;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.client.ClientRequests;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.proxy.ProcessProxy;
import dev.execserver.server.rules.NetworkRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The network proxy of one process, if it has one, and its link to the client. It ends with the last program of the
 * process. Requests, the clock and the thread that ends the process enter; {@code lock} guards the proxy.
 */
public final class ProcessNetwork implements AutoCloseable {

    /** Interval of the check if programs that a closed process has left behind still run. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final ClientRequests client;
    private final ProcessTrail trail;
    private Optional<ProcessProxy> proxy = Optional.empty();
    private volatile Optional<Denial> socketDenial = Optional.empty();
    private volatile Optional<PolicyLink> link = Optional.empty();
    private boolean closed;

    /** @param trail gets what goes through the proxy */
    public ProcessNetwork(ClientRequests client, ProcessTrail trail) {
        this.client = client;
        this.trail = trail;
    }

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 for an invalid configuration */
    public ProcessProxy open(NetworkProxies proxies, NetworkProxyConfig config, NetworkRules rules) {
        PolicyLink policy = new PolicyLink(trail.processId(), client);
        ProcessProxy opened = proxies.open(trail, config, rules, policy);
        lock.lock();
        try {
            link = Optional.of(policy);
            proxy = Optional.of(opened);
            if (!closed) {
                return opened;
            }
        } finally {
            lock.unlock();
        }
        opened.close(); // the process was ended during its start; the start will notice
        return opened;
    }

    /** Returns the routes from the process's sandbox to its proxy; empty without a proxy. */
    public List<BridgeRoute> takeRoutes() {
        lock.lock();
        try {
            return proxy.map(ProcessProxy::takeRoutes).orElse(List.of());
        } finally {
            lock.unlock();
        }
    }

    /** Remembers that a connection to a Unix socket was refused. */
    public void refusedSocket(AllowedSockets.Refused refused) {
        socketDenial = Optional.of(new Denial(
                Denial.NETWORK,
                refused.path(),
                Optional.empty(),
                Optional.of(refused.why()),
                refused.path().map(path -> "an entry `" + path + "` in managedNetwork.allowUnixSockets")));
    }

    /** Returns the last connection that the proxy has refused, or that to a Unix socket. */
    public Optional<Denial> lastDenial() {
        Optional<Denial> socket = socketDenial;
        if (socket.isPresent()) {
            return socket;
        }
        lock.lock();
        try {
            return proxy.flatMap(ProcessProxy::lastDenial);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the settings that would allow what mode {@code observe} has let through; empty if there was nothing. */
    public Optional<ProxyChange> observed() {
        lock.lock();
        try {
            return proxy.flatMap(ProcessProxy::observed);
        } finally {
            lock.unlock();
        }
    }

    /** Makes the part of the proxy that serves programs which know none; empty without a proxy. */
    public Optional<ProcessProxy.Transparent> transparent(int innerPort) {
        lock.lock();
        try {
            return proxy.map(opened -> opened.transparent(innerPort));
        } finally {
            lock.unlock();
        }
    }

    public void attach(Outbound connection) {
        link.ifPresent(policy -> policy.attach(connection));
    }

    public void detach() {
        link.ifPresent(PolicyLink::detach);
    }

    /** Ends the proxy of a closed process as soon as none of its programs runs any more. */
    public void closeWith(BooleanSupplier anyAlive, Timers timers) {
        if (isOpen()) {
            timers.after(Duration.ZERO, "proxy-end", () -> closeUnless(anyAlive, timers));
        }
    }

    private void closeUnless(BooleanSupplier anyAlive, Timers timers) {
        if (isOpen() && anyAlive.getAsBoolean()) {
            timers.after(LOOK_AGAIN, "proxy-end", () -> closeUnless(anyAlive, timers));
        } else {
            end(ProcessProxy::finish);
        }
    }

    private boolean isOpen() {
        lock.lock();
        try {
            return !closed && proxy.isPresent();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        end(ProcessProxy::close);
    }

    private void end(Consumer<ProcessProxy> how) {
        Optional<ProcessProxy> open;
        lock.lock();
        try {
            closed = true;
            open = proxy;
        } finally {
            lock.unlock();
        }
        link.ifPresent(PolicyLink::close);
        open.ifPresent(how);
    }
}
