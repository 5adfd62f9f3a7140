package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.connect.ConnectExaminer;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.ExecSupervisor;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.sandbox.peer.ServerProcess;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.names.NameResponder;
import dev.execserver.server.network.Bridge;
import dev.execserver.server.network.Bridges;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.proxy.ProcessProxy;
import dev.execserver.server.proxy.ProcessProxy.Transparent;
import dev.execserver.server.proxy.rules.PolicyClient;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rules.NetworkRules;
import java.io.IOException;
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
    private final Optional<ExecSupervisor> supervisor;
    private Optional<Transparent> transparent = Optional.empty();

    /** @throws SandboxRefusedException if the settings are invalid, or programs that know no proxy cannot be served */
    LocalProxy(Poller poller, NetworkProxySettings settings, NetworkRules rules) {
        this.supervisor = settings.transparentTcp() ? Optional.of(supervisor(poller)) : Optional.empty();
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

    private static ExecSupervisor supervisor(Poller poller) {
        Machine machine = Machine.current()
                .orElseThrow(() -> new SandboxRefusedException("transparent TCP is not possible on this processor"));
        try {
            ServerProcess.announce();
        } catch (IOException e) {
            throw new SandboxRefusedException("transparent TCP is not possible on this machine: " + e);
        }
        return new ExecSupervisor(poller, machine);
    }

    /** Returns the variables that name it. */
    Map<String, String> environment() {
        return proxy.environment();
    }

    /** Returns true if programs that know no proxy are served. */
    boolean transparent() {
        return supervisor.isPresent();
    }

    /** Returns the examiner of the command's connects, for one attempt; empty if they are not intercepted. */
    Optional<CallExaminer> connects(ProxyRoutes routes) {
        transparent = supervisor.map(_ -> proxy.transparent(routes.freePort()));
        return transparent.map(made -> new ConnectExaminer(made.connects()));
    }

    /** Returns the interception of a command without rules for its programs. */
    Interception intercept(CallExaminer connects) {
        return supervisor.orElseThrow().intercept(Optional.empty(), Optional.of(connects));
    }

    /** Connects the network of the running command. */
    Bridge connect(AttachedSandbox running, ProxyRoutes routes, Bridges bridges) {
        List<AsyncFd> sockets = new ArrayList<>(running.takeProxyListeners());
        transparent.ifPresent(made -> NameResponder.open(sockets.removeLast(), made.names()));
        return bridges.open(sockets, routes, proxy.takeRoutes(), transparent.map(Transparent::handler));
    }

    Optional<ProxyChange> observed() {
        return proxy.observed();
    }

    @Override
    public void close() {
        proxy.close();
        proxies.close();
        supervisor.ifPresent(ExecSupervisor::close);
        timers.close();
    }
}
