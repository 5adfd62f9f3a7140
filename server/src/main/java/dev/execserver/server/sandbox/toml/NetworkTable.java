package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table {@code network} of a profile. Any rule in it makes a proxy the only network of a command; the original enforces rules only
 * with a feature switched on.
 *
 * @param switches settings that are true or false, by their keys
 * @param domains rules by pattern
 * @param sockets rules for socket files by path
 */
record NetworkTable(
        Optional<Boolean> enabled,
        Map<String, Boolean> switches,
        Optional<ProxyMode> mode,
        Map<String, DomainRule> domains,
        Map<String, DomainRule> sockets) {
    static final NetworkTable NONE = new NetworkTable(Optional.empty(), Map.of(), Optional.empty(), Map.of(), Map.of());

    private static final String ENABLED = "enabled";
    private static final String MODE = "mode";
    private static final String DOMAINS = "domains";
    private static final String SOCKETS = "unix_sockets";
    private static final String SOCKS5 = "enable_socks5";
    private static final String SOCKS5_UDP = "enable_socks5_udp";
    private static final String UPSTREAM = "allow_upstream_proxy";
    private static final String ALL_SOCKETS = "dangerously_allow_all_unix_sockets";
    private static final String LOCAL_BINDING = "allow_local_binding";
    private static final List<String> SWITCHES = List.of(SOCKS5, SOCKS5_UDP, UPSTREAM, ALL_SOCKETS, LOCAL_BINDING);

    /** Addresses of the proxies of the original. Ours are found by their variables, so these have no effect. */
    private static final List<String> ADDRESSES = List.of("proxy_url", "socks_url");

    /** Would open the proxy to other machines. Ours is never reachable from there. */
    private static final String OPEN_PROXY = "dangerously_allow_non_loopback_proxy";

    private static final Set<String> KNOWN = Set.of(
            ENABLED,
            MODE,
            DOMAINS,
            SOCKETS,
            SOCKS5,
            SOCKS5_UDP,
            UPSTREAM,
            ALL_SOCKETS,
            LOCAL_BINDING,
            "proxy_url",
            "socks_url",
            OPEN_PROXY);

    static NetworkTable read(TableReader in) {
        in.refuseOthers(KNOWN);
        ADDRESSES.forEach(in::string);
        if (in.bool(OPEN_PROXY).orElse(false)) {
            throw in.fault(OPEN_PROXY, "`" + OPEN_PROXY + "` is not possible: the proxy of a command is its own");
        }
        Map<String, Boolean> switches = new LinkedHashMap<>();
        SWITCHES.forEach(key -> in.bool(key).ifPresent(on -> switches.put(key, on)));
        return new NetworkTable(
                in.bool(ENABLED),
                switches,
                in.string(MODE).map(_ -> in.word(MODE, ProxyMode::parse)),
                in.words(DOMAINS, DomainRule::parse),
                in.words(SOCKETS, DomainRule::parse));
    }

    /** Returns the rules of a profile that inherits others. */
    NetworkTable over(NetworkTable inherited) {
        return new NetworkTable(
                enabled.or(inherited::enabled),
                both(inherited.switches, switches),
                mode.or(inherited::mode),
                both(inherited.domains, domains),
                both(inherited.sockets, sockets));
    }

    private static <T> Map<String, T> both(Map<String, T> inherited, Map<String, T> own) {
        Map<String, T> both = new LinkedHashMap<>(inherited);
        both.putAll(own);
        return both;
    }

    NetworkPolicy policy() {
        return NetworkPolicy.of(enabled.orElse(false));
    }

    /**
     * Returns the settings of the proxy that is the only network.
     *
     * @param always true if a network without rules is that of a proxy too
     */
    Optional<NetworkProxySettings> proxy(boolean always) {
        boolean ruled = !switches.isEmpty() || mode.isPresent() || !domains.isEmpty() || !sockets.isEmpty();
        return policy().enabled() && (ruled || always) ? Optional.of(settings()) : Optional.empty();
    }

    private NetworkProxySettings settings() {
        return new NetworkProxySettings(
                true,
                switches.getOrDefault(SOCKS5, true),
                switches.getOrDefault(SOCKS5_UDP, false),
                switches.getOrDefault(UPSTREAM, false),
                switches.getOrDefault(ALL_SOCKETS, false),
                mode.orElse(ProxyMode.FULL),
                switches.getOrDefault(LOCAL_BINDING, false),
                domains,
                Map.of(),
                List.of(),
                sockets.isEmpty() ? Optional.empty() : Optional.of(json(sockets)),
                false);
    }

    private static JsonSlice json(Map<String, DomainRule> rules) {
        MessageBuffer out = new MessageBuffer();
        String separator = "{";
        for (Map.Entry<String, DomainRule> rule : rules.entrySet()) {
            out.ascii(separator);
            out.string(rule.getKey());
            out.ascii(":");
            out.string(rule.getValue().wire());
            separator = ",";
        }
        out.ascii("}");
        byte[] text = out.toByteArray();
        return JsonSlice.of(text, 0, text.length);
    }
}
