package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.rules.RuledProgram;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The checked settings of one proxy.
 *
 * @param questionLimit longest wait for the client's answer; empty if the client is not asked
 * @param upstreams the proxies of the server's own environment, if they may be used
 * @param tcpUpstream the operator's proxy for connections that are not HTTP
 */
public record ProxyPolicy(
        HostLists lists,
        ProxyMode mode,
        boolean localBinding,
        Optional<Duration> questionLimit,
        Optional<UpstreamProxies> upstreams,
        Optional<UpstreamProxies.Upstream> tcpUpstream) {

    /** Longest process id in questions, in bytes. */
    static final int MAX_ASKING_ID_BYTES = 256;

    /**
     * Checks settings. The policy holds without the rules until {@link #with} adds them.
     *
     * @throws RpcException -32602 that says what is wrong
     */
    public static ProxyPolicy of(
            NetworkProxyConfig config,
            NetworkRules rules,
            String processId,
            UpstreamProxies upstreams,
            Optional<UpstreamProxies.Upstream> tcpUpstream) {
        if (!config.proxy().enabled()) {
            throw HostPattern.invalid("executor-local network proxy launch requires an enabled proxy");
        }
        rules.client().forEach(rule -> rule.program().ifPresent(HostLists::requireUsable));
        return new ProxyPolicy(
                new HostLists(config.proxy()),
                config.proxy().mode(),
                config.proxy().allowLocalBinding(),
                questionLimit(config, processId),
                config.proxy().allowUpstreamProxy() ? Optional.of(upstreams) : Optional.empty(),
                tcpUpstream);
    }

    /**
     * Returns a copy with these network rules.
     *
     * @param programs finds the program that a rule names
     */
    ProxyPolicy with(List<NetworkRule> rules, Function<String, RuledProgram> programs) {
        return new ProxyPolicy(lists.with(rules, programs), mode, localBinding, questionLimit, upstreams, tcpUpstream);
    }

    private static Optional<Duration> questionLimit(NetworkProxyConfig config, String processId) {
        if (config.policyDecisionTimeoutMs().isEmpty()) {
            return Optional.empty();
        }
        long ms = config.policyDecisionTimeoutMs().getAsLong();
        if (ms == 0) {
            throw RpcException.invalidParams("network policy decision callback timeout must be nonzero");
        }
        int bytes = processId.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_ASKING_ID_BYTES) {
            throw RpcException.invalidParams("a process whose network proxy asks its client must have an id of 1 to "
                    + MAX_ASKING_ID_BYTES + " bytes; this one has " + bytes);
        }
        return Optional.of(Duration.ofMillis(Math.min(ms, ProxyBounds.LONGEST_QUESTION.toMillis())));
    }

    /** Returns true if a target is reached through another proxy. */
    boolean upstream(ProxyDestination target) {
        return upstream(target.protocol(), target.host(), target.port()).isPresent();
    }

    public Optional<UpstreamProxies.Upstream> upstream(NetworkProtocol protocol, String host, int port) {
        if (protocol == NetworkProtocol.SOCKS5_TCP && tcpUpstream.isPresent()) {
            return tcpUpstream;
        }
        return upstreams.flatMap(proxies -> proxies.choose(protocol != NetworkProtocol.HTTP, host, port));
    }
}
