package dev.execserver.server.proxy;

import dev.execserver.server.proxy.rules.HostName;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the variables by which programs find their proxy, in all spellings that programs read. Stateless. */
final class ProxyEnvironment {

    private static final List<String> HTTP = List.of(
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "http_proxy",
            "https_proxy",
            "WS_PROXY",
            "WSS_PROXY",
            "ws_proxy",
            "wss_proxy",
            "YARN_HTTP_PROXY",
            "YARN_HTTPS_PROXY",
            "npm_config_http_proxy",
            "npm_config_https_proxy",
            "npm_config_proxy",
            "NPM_CONFIG_HTTP_PROXY",
            "NPM_CONFIG_HTTPS_PROXY",
            "NPM_CONFIG_PROXY",
            "BUNDLE_HTTP_PROXY",
            "BUNDLE_HTTPS_PROXY",
            "PIP_PROXY",
            "DOCKER_HTTP_PROXY",
            "DOCKER_HTTPS_PROXY");

    private static final List<String> SOCKS = List.of("ALL_PROXY", "all_proxy", "FTP_PROXY", "ftp_proxy");

    private static final List<String> EXCEPTIONS =
            List.of("NO_PROXY", "no_proxy", "npm_config_noproxy", "NPM_CONFIG_NOPROXY", "BUNDLE_NO_PROXY");

    /** Hosts that a process with local binding reaches without the proxy. */
    private static final String LOCAL = "localhost,127.0.0.1,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16";

    private ProxyEnvironment() {}

    static Map<String, String> of(InetSocketAddress http, Optional<InetSocketAddress> socks, boolean localBinding) {
        Map<String, String> variables = new TreeMap<>();
        String httpUrl = "http://" + HostName.authority(http);
        String socksUrl =
                socks.map(address -> "socks5h://" + HostName.authority(address)).orElse(httpUrl);
        HTTP.forEach(name -> variables.put(name, httpUrl));
        SOCKS.forEach(name -> variables.put(name, socksUrl));
        EXCEPTIONS.forEach(name -> variables.put(name, localBinding ? LOCAL : ""));
        variables.put("CODEX_NETWORK_PROXY_ACTIVE", "1");
        variables.put("CODEX_NETWORK_ALLOW_LOCAL_BINDING", localBinding ? "1" : "0");
        variables.put("NODE_USE_ENV_PROXY", "1");
        variables.put("ELECTRON_GET_USE_PROXY", "true");
        return variables;
    }
}
