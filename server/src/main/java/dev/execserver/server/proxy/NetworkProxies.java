package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.concurrent.NameLookups;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Optional;

/** Makes the proxies of processes. Any thread; what they share: the clock, the look-ups, the ports of this server. */
public final class NetworkProxies implements AutoCloseable {

    private final NameLookups lookups = new NameLookups("proxy-names");
    private final Names names;
    private final OwnPorts ownPorts = new OwnPorts();
    private final Timers timers;
    private final UpstreamProxies upstreams;
    private final ProxyBounds bounds;

    /** @param upstreams the proxies of the server's own environment */
    public NetworkProxies(Timers timers, UpstreamProxies upstreams, ProxyBounds bounds) {
        this(timers, upstreams, bounds, Optional.empty());
    }

    /** @param names in place of the machine's own */
    NetworkProxies(Timers timers, UpstreamProxies upstreams, ProxyBounds bounds, Optional<Names> names) {
        this.names = names.orElse(lookups::lookUp);
        this.timers = timers;
        this.upstreams = upstreams;
        this.bounds = bounds;
    }

    /** Where this server listens itself. */
    public OwnPorts ownPorts() {
        return ownPorts;
    }

    /**
     * Opens a proxy.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 for a configuration that is none
     * @throws java.io.UncheckedIOException when it cannot listen
     */
    public ProcessProxy open(String processId, NetworkProxyConfig config, PolicyClient client) {
        ProxyPolicy policy = ProxyPolicy.of(config, processId, upstreams);
        Judge judge = new Judge(
                policy,
                new Questions(processId, client, bounds.questions()),
                new Reports(processId, client),
                names,
                ownPorts,
                bounds.lookup());
        Duration longestWait = policy.questionLimit()
                .orElse(Duration.ZERO)
                .plus(bounds.lookup())
                .plus(bounds.idle());
        ProxyParts parts = new ProxyParts(
                processId,
                judge,
                new Outgoing(policy, names, bounds),
                bounds,
                policy.mode() == ProxyMode.LIMITED,
                longestWait);
        return new ProcessProxy(parts, config.proxy().enableSocks5(), policy.localBinding(), ownPorts, timers);
    }

    @Override
    public void close() {
        lookups.close();
    }
}
