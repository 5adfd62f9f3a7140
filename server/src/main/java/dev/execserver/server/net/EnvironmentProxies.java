package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses upstream proxies for the proxies of processes by the proxy variables of the server's environment, as
 * {@code http/request} does.
 */
public final class EnvironmentProxies implements UpstreamProxies {

    private final Proxies proxies;

    public EnvironmentProxies(Map<String, String> environment) {
        this.proxies = new Proxies(environment);
    }

    @Override
    public Optional<Upstream> choose(boolean tunnel, String host, int port) {
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        try {
            return proxies.choose(RequestUrl.parse((tunnel ? "https://" : "http://") + bracketed + ":" + port))
                    .map(EnvironmentProxies::upstream);
        } catch (RpcException e) {
            // The text of this error names http/request, so it is replaced.
            throw RpcException.internal("a proxy variable of the server's environment holds no URL of an http proxy");
        }
    }

    private static Upstream upstream(RequestUrl proxy) {
        String host = proxy.host();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new Upstream(bare, proxy.port(), proxy.userInfo().map(HttpCall::basic));
    }
}
