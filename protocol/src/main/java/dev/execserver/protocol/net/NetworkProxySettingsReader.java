package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the members of {@link NetworkProxySettings} in any order. */
final class NetworkProxySettingsReader {

    private Boolean enabled;
    private Boolean enableSocks5;
    private Boolean enableSocks5Udp;
    private Boolean allowUpstreamProxy;
    private Boolean dangerouslyAllowAllUnixSockets;
    private Boolean allowLocalBinding;
    private ProxyMode mode;
    private Map<String, DomainRule> domains = Map.of();
    private Map<String, Map<String, DomainRule>> programDomains = Map.of();
    private List<String> reviewDomains = List.of();
    private Optional<JsonSlice> unixSockets = Optional.empty();
    private boolean transparentTcp;

    private NetworkProxySettingsReader() {}

    static NetworkProxySettings read(ParamsReader in) {
        NetworkProxySettingsReader members = new NetworkProxySettingsReader();
        while (in.next()) {
            members.take(in); // unknown members have no effect
        }
        return members.build(in);
    }

    /** Reads settings whose members may be absent. */
    static NetworkProxySettings readProfile(JsonSlice value) {
        NetworkProxySettings usual = NetworkProxySettings.of(Map.of());
        NetworkProxySettingsReader members = new NetworkProxySettingsReader();
        members.enabled = usual.enabled();
        members.enableSocks5 = usual.enableSocks5();
        members.enableSocks5Udp = usual.enableSocks5Udp();
        members.allowUpstreamProxy = usual.allowUpstreamProxy();
        members.dangerouslyAllowAllUnixSockets = usual.dangerouslyAllowAllUnixSockets();
        members.allowLocalBinding = usual.allowLocalBinding();
        members.mode = usual.mode();
        ParamsReader in = ParamsReader.of(value, "NetworkProxyConfig");
        while (in.next()) {
            if (!members.take(in)) {
                throw RpcException.invalidParams("unknown member `" + in.name() + "`");
            }
        }
        if (!members.enabled) {
            throw RpcException.invalidParams("`enabled` must be true; leave the proxy out for a profile without one");
        }
        return members.build(in);
    }

    /** Returns false if the member is not known. */
    private boolean take(ParamsReader in) {
        switch (in.name()) {
            case "enabled" -> enabled = in.bool();
            case "enableSocks5" -> enableSocks5 = in.bool();
            case "enableSocks5Udp" -> enableSocks5Udp = in.bool();
            case "allowUpstreamProxy" -> allowUpstreamProxy = in.bool();
            case "dangerouslyAllowAllUnixSockets" -> dangerouslyAllowAllUnixSockets = in.bool();
            case "allowLocalBinding" -> allowLocalBinding = in.bool();
            case "mode" -> mode = ProxyMode.parse(in.string());
            case "domains" ->
                domains = in.structOrNull("a map", DomainRules::read).orElse(Map.of());
            case "programDomains" ->
                programDomains =
                        in.structOrNull("a map", DomainRules::readByProgram).orElse(Map.of());
            case "reviewDomains" -> reviewDomains = in.stringsOrNull().orElse(List.of());
            case "unixSockets" -> unixSockets = in.sliceOrNull();
            case "transparentTcp" -> transparentTcp = in.bool();
            default -> {
                return false;
            }
        }
        return true;
    }

    private NetworkProxySettings build(ParamsReader in) {
        return new NetworkProxySettings(
                in.required("enabled", enabled),
                in.required("enableSocks5", enableSocks5),
                in.required("enableSocks5Udp", enableSocks5Udp),
                in.required("allowUpstreamProxy", allowUpstreamProxy),
                in.required("dangerouslyAllowAllUnixSockets", dangerouslyAllowAllUnixSockets),
                in.required("mode", mode),
                in.required("allowLocalBinding", allowLocalBinding),
                domains,
                programDomains,
                reviewDomains,
                unixSockets,
                transparentTcp);
    }
}
