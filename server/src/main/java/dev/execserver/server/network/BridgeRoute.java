package dev.execserver.server.network;

import java.net.InetSocketAddress;

/**
 * Who serves the connections to one proxy of a command. Without a route of its own an endpoint is relayed to as it stands.
 *
 * @param endpoint loopback address and port as the command's variables name it before they are rewritten
 * @param handler serves each connection
 */
public record BridgeRoute(InetSocketAddress endpoint, BridgeHandler handler) {}
