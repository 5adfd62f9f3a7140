package dev.execserver.it.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Builds the {@code networkProxy} of a start: both proxies, full mode; nothing is allowed but what a test adds. */
public final class ProxyConfig {
    private final ObjectNode domains = Json.object();
    private final ObjectNode proxy = Json.object(
            "enabled",
            true,
            "enableSocks5",
            true,
            "enableSocks5Udp",
            false,
            "allowUpstreamProxy",
            false,
            "dangerouslyAllowAllUnixSockets",
            false,
            "mode",
            "full",
            "allowLocalBinding",
            false);
    private final ObjectNode config = Json.object();

    private ProxyConfig() {
        proxy.set("domains", domains);
        config.set("proxy", proxy);
    }

    public static ProxyConfig nothing() {
        return new ProxyConfig();
    }

    /** Allows hosts by their exact name, which opens loopback addresses too. */
    public static ProxyConfig allowing(String... hosts) {
        ProxyConfig config = new ProxyConfig();
        List.of(hosts).forEach(host -> config.domains.put(host, "allow"));
        return config;
    }

    public ProxyConfig deny(String pattern) {
        domains.put(pattern, "deny");
        return this;
    }

    public ProxyConfig review(String... patterns) {
        proxy.set("reviewDomains", Json.value(List.of(patterns)));
        return this;
    }

    public ProxyConfig asking(long timeoutMs) {
        config.put("policyDecisionTimeoutMs", timeoutMs);
        return this;
    }

    public ProxyConfig with(String member, Object value) {
        proxy.set(member, Json.value(value));
        return this;
    }

    public ObjectNode json() {
        return config.deepCopy();
    }
}
