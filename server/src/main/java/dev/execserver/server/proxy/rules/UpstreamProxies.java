package dev.execserver.server.proxy.rules;

import java.util.Optional;

/** Chooses the HTTP proxy through which this server reaches a host, by the server's environment. */
@FunctionalInterface
public interface UpstreamProxies {

    /** Chooses no proxy for any host. */
    UpstreamProxies NONE = (tunnel, host, port) -> Optional.empty();

    /**
     * An HTTP proxy.
     *
     * @param authorization value of {@code Proxy-Authorization}; never logged
     */
    record Upstream(String host, int port, Optional<String> authorization) {

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Returns the proxy to use, or empty for none.
     *
     * @param tunnel true unless it is for a plain HTTP request
     * @throws dev.execserver.protocol.rpc.RpcException if the environment names a proxy that cannot be used
     */
    Optional<Upstream> choose(boolean tunnel, String host, int port);
}
