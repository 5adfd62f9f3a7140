/**
 * The way out of a sandbox whose only network is a proxy. Inside, the proxy variables of the command point to listening sockets
 * on the loopback address of its own network namespace; those sockets are held, and their connections served, by this
 * server. Start at {@link dev.execserver.server.network.Bridge}; what becomes of a connection is up to the
 * {@link dev.execserver.server.network.BridgeHandler} of its {@link dev.execserver.server.network.BridgeRoute}, by default
 * a relay to the proxy that the variable named.
 *
 * <p>Threads: one virtual thread a listening socket accepts, one or two a connection copy; the poller wakes them. A bridge is
 * opened by the thread that starts the process and closed by the one that sees it end. One lock a bridge, over the set of
 * its connections.
 */
package dev.execserver.server.network;
