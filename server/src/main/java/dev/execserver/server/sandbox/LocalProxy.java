package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.network.Bridge;
import dev.execserver.server.network.Bridges;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.proxy.ProcessProxy;
import dev.execserver.server.proxy.ProcessProxy.Transparent;
import dev.execserver.server.proxy.rules.PolicyClient;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rules.NetworkRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The proxy of one command of the command line, which asks nobody. Used by the main thread. */
final class LocalProxy implements AutoCloseable {
    private static final String NAME = "sandbox";

    private final Timers timers = new Timers();
    private final NetworkProxies proxies;
    private final ProcessProxy proxy;
    private final boolean served;
    private Optional<Transparent> transparent = Optional.empty();

    /** @throws SandboxRefusedException if the settings are invalid */
    LocalProxy(Poller poller, NetworkProxySettings settings, NetworkRules rules) {
        this.served = settings.transparentTcp();
        this.proxies = new NetworkProxies(
                poller,
                timers,
                DescriptorBudget.ofThisProcess(),
                new NetworkProxies.Operator(UpstreamProxies.NONE, Optional.empty(), false),
                ProxyBounds.DEFAULT);
        try {
            this.proxy = proxies.open(
                    new ProcessTrail(AccessLog.OFF, NAME, NAME), NetworkProxyConfig.of(settings), rules, new Nobody());
        } catch (RpcException e) {
            throw new SandboxRefusedException(e.message());
        }
    }

    /** A client that answers no question. */
    private static final class Nobody implements PolicyClient {
        @Override
        public Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) {
            return Optional.empty();
        }

        @Override
        public void decided(PolicyDecision decision) {}
    }

    /** Returns the variables that name it. */
    Map<String, String> environment() {
        return proxy.environment();
    }

    /** Returns the part that serves programs which know no proxy, for one attempt; empty if they are not served. */
    Optional<Transparent> transparent(ProxyRoutes routes) {
        transparent = served ? Optional.of(proxy.transparent(routes.freePort())) : Optional.empty();
        return transparent;
    }

    /** Connects the network of the running command. */
    Bridge connect(AttachedSandbox running, ProxyRoutes routes, Bridges bridges) {
        List<AsyncFd> sockets = new ArrayList<>(running.takeProxyListeners());
        transparent.ifPresent(made -> made.serve(sockets, routes.innerPorts().size() + 1));
        return bridges.open(sockets, routes, proxy.takeRoutes(), transparent.map(Transparent::handler));
    }

    Optional<ProxyChange> observed() {
        return proxy.observed();
    }

    @Override
    public void close() {
        proxy.close();
        proxies.close();
        timers.close();
    }
}
