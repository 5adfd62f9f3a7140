package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.NameLookups;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.proxy.rules.DecisionReporter;
import dev.execserver.server.proxy.rules.OwnPorts;
import dev.execserver.server.proxy.rules.PolicyClient;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.ProxyNameLookup;
import dev.execserver.server.proxy.rules.ProxyPolicy;
import dev.execserver.server.proxy.rules.Questions;
import dev.execserver.server.proxy.rules.Resolver;
import dev.execserver.server.proxy.rules.RunningPolicy;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rules.NetworkRules;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Makes the proxies of processes. Any thread. The proxies share the clock, the look-ups and the table of this server's
 * ports.
 */
public final class NetworkProxies implements AutoCloseable {

    /** Threads for look-ups. Four processes whose look-ups all hang leave some for others. */
    private static final int LOOKUPS = 32;

    private final NameLookups lookups = new NameLookups("proxy-names", LOOKUPS);
    private final ProxyNameLookup names;
    private final Semaphore connections;
    private final OwnPorts ownPorts = new OwnPorts();
    private final Timers timers;
    private final ProxySockets sockets;
    private final Operator operator;
    private final ProxyBounds bounds;

    /**
     * Makes the factory without any proxy.
     *
     * @param operator settings for all proxies
     */
    public NetworkProxies(
            Poller poller, Timers timers, DescriptorBudget descriptors, Operator operator, ProxyBounds bounds) {
        this(poller, timers, descriptors, operator, bounds, Optional.empty());
    }

    /**
     * The settings of the operator for all proxies.
     *
     * @param upstreams the proxies of the server's own environment
     * @param tcpUpstream the proxy for connections that are not HTTP
     * @param transparentTcp true if each managed network serves programs that know no proxy
     */
    public record Operator(
            UpstreamProxies upstreams, Optional<UpstreamProxies.Upstream> tcpUpstream, boolean transparentTcp) {}

    /** @param names replaces the machine's own resolver */
    NetworkProxies(
            Poller poller,
            Timers timers,
            DescriptorBudget descriptors,
            Operator operator,
            ProxyBounds bounds,
            Optional<ProxyNameLookup> names) {
        this.sockets = new ProxySockets(poller, descriptors);
        this.names = names.orElse(lookups::lookUp);
        this.timers = timers;
        this.operator = operator;
        this.bounds = bounds;
        this.connections = new Semaphore(bounds.allConnections());
    }

    /**
     * Opens a proxy.
     *
     * @param trail of the process that gets the proxy
     * @param rules add to the lists of the configuration
     * @throws dev.execserver.protocol.rpc.RpcException -32602 for an invalid configuration
     * @throws dev.execserver.sandbox.linux.LinuxException if it cannot listen
     */
    public ProcessProxy open(ProcessTrail trail, NetworkProxyConfig config, NetworkRules rules, PolicyClient client) {
        String processId = trail.processId();
        ProxyPolicy policy = ProxyPolicy.of(config, rules, processId, operator.upstreams(), operator.tcpUpstream());
        Resolver resolver = new Resolver(names, bounds.lookups(), bounds.lookup());
        DecisionReporter reports = new DecisionReporter(processId, client);
        RunningPolicy judge = new RunningPolicy(
                policy, rules, new Questions(processId, client, bounds.questions()), reports, resolver, ownPorts);
        Duration longestWait = policy.questionLimit()
                .orElse(Duration.ZERO)
                .plus(bounds.lookup())
                .plus(bounds.idle());
        ProxyParts parts = new ProxyParts(
                new AccessLog(trail, config),
                judge,
                reports,
                new Outgoing(policy, resolver, bounds, sockets),
                bounds,
                policy.mode() == ProxyMode.LIMITED,
                longestWait);
        return new ProcessProxy(
                parts, config.proxy().enableSocks5(), policy.localBinding(), ownPorts, timers, sockets, connections);
    }

    /** Returns true if each managed network serves programs that know no proxy, as the operator wishes. */
    public boolean transparentTcp() {
        return operator.transparentTcp();
    }

    @Override
    public void close() {
        lookups.close();
    }
}
