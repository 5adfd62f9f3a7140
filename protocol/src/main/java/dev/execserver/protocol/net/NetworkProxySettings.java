package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rules of the proxy of a process: member {@code proxy} of {@code networkProxy}. Patterns are not parsed here.
 *
 * @param enableSocks5 true to run a SOCKS5 proxy beside the HTTP proxy
 * @param enableSocks5Udp true to let the SOCKS5 proxy carry UDP
 * @param allowUpstreamProxy true to connect through the proxy that the server's own environment names
 * @param dangerouslyAllowAllUnixSockets true if the sandbox lets the process make Unix sockets
 * @param allowLocalBinding true to treat loopback and private addresses like others
 * @param domains rules by pattern, in order
 * @param programDomains rules for one program each, by the path of its file; they hold beside {@code domains}
 * @param reviewDomains patterns of allowed hosts that the client is asked about anyway
 * @param unixSockets rules for socket files, not decoded
 * @param transparentTcp true to lead the TCP connections of programs that know no proxy through this one
 */
public record NetworkProxySettings(
        boolean enabled,
        boolean enableSocks5,
        boolean enableSocks5Udp,
        boolean allowUpstreamProxy,
        boolean dangerouslyAllowAllUnixSockets,
        ProxyMode mode,
        boolean allowLocalBinding,
        Map<String, DomainRule> domains,
        Map<String, Map<String, DomainRule>> programDomains,
        List<String> reviewDomains,
        Optional<JsonSlice> unixSockets,
        boolean transparentTcp)
        implements JsonWritable {

    public NetworkProxySettings {
        domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
        programDomains = Collections.unmodifiableMap(new LinkedHashMap<>(programDomains));
        reviewDomains = List.copyOf(reviewDomains);
    }

    /** Makes settings with both proxies and full mode, which allow only what these rules allow. */
    public static NetworkProxySettings of(Map<String, DomainRule> domains) {
        return new NetworkProxySettings(
                true,
                true,
                false,
                false,
                false,
                ProxyMode.FULL,
                false,
                domains,
                Map.of(),
                List.of(),
                Optional.empty(),
                false);
    }

    /** Makes settings as {@link #of} does, with another mode. */
    public static NetworkProxySettings of(Map<String, DomainRule> domains, ProxyMode mode) {
        return new NetworkProxySettings(
                true, true, false, false, false, mode, false, domains, Map.of(), List.of(), Optional.empty(), false);
    }

    /** Makes settings as {@link #of(Map)} does, of everything that a change can say. */
    public static NetworkProxySettings of(ProxyChange change) {
        return new NetworkProxySettings(
                true,
                true,
                false,
                false,
                false,
                change.mode().orElse(ProxyMode.FULL),
                false,
                change.domains(),
                change.programDomains(),
                List.of(),
                Optional.empty(),
                false);
    }

    /**
     * Reads the settings of a profile. Members that are absent have the values of {@link #of(Map)}.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 for wrong types, unknown members, and a proxy that is not enabled
     */
    public static NetworkProxySettings ofProfile(JsonSlice value) {
        return NetworkProxySettingsReader.readProfile(value);
    }

    /** Returns a copy that also serves programs that know no proxy. */
    public NetworkProxySettings transparent() {
        return new NetworkProxySettings(
                enabled,
                enableSocks5,
                enableSocks5Udp,
                allowUpstreamProxy,
                dangerouslyAllowAllUnixSockets,
                mode,
                allowLocalBinding,
                domains,
                programDomains,
                reviewDomains,
                unixSockets,
                true);
    }

    /** Decodes the socket files that the rules allow. @throws dev.execserver.protocol.rpc.RpcException -32602 for anything else */
    public List<String> allowedUnixSockets() {
        return unixSockets.map(UnixSocketRules::allowed).orElse(List.of());
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("enabled", enabled);
        g.writeBooleanField("enableSocks5", enableSocks5);
        g.writeBooleanField("enableSocks5Udp", enableSocks5Udp);
        g.writeBooleanField("allowUpstreamProxy", allowUpstreamProxy);
        g.writeBooleanField("dangerouslyAllowAllUnixSockets", dangerouslyAllowAllUnixSockets);
        g.writeStringField("mode", mode.wire());
        g.writeBooleanField("allowLocalBinding", allowLocalBinding);
        DomainRules.write(g, "domains", domains);
        if (!programDomains.isEmpty()) {
            DomainRules.writeByProgram(g, "programDomains", programDomains);
        }
        JsonFields.strings(g, "reviewDomains", reviewDomains);
        JsonFields.sliceOrNull(g, "unixSockets", unixSockets);
        if (transparentTcp) {
            g.writeBooleanField("transparentTcp", true);
        }
        g.writeEndObject();
    }
}
