package dev.execserver.server.network;

import java.net.InetSocketAddress;

/**
 * The handler for the connections to one proxy of a command. Connections to an endpoint without a route are relayed to
 * the endpoint.
 *
 * @param endpoint loopback address and port that the command's variables name before they are rewritten
 * @param handler serves each connection
 */
public record BridgeRoute(InetSocketAddress endpoint, BridgeHandler handler) {}
