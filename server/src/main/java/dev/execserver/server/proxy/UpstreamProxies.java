package dev.execserver.server.proxy;

import java.util.Optional;

/** Through which HTTP proxy this server reaches a host, by its own environment. */
@FunctionalInterface
public interface UpstreamProxies {

    /** The server reaches everything directly. */
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
     * The proxy to use, empty for none.
     *
     * @param tunnel true for what is not a plain HTTP request
     * @throws dev.execserver.protocol.rpc.RpcException when the environment names one that cannot be used
     */
    Optional<Upstream> choose(boolean tunnel, String host, int port);
}
