package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
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
            members.take(in);
        }
        return members.build(in);
    }

    private void take(ParamsReader in) {
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
            default -> {}
        }
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
