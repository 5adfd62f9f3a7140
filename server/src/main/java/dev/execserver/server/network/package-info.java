/**
 * The network of a sandbox that can reach only a proxy. Inside, the proxy variables of the command name listening
 * sockets on the loopback address of its own network namespace. This server holds those sockets and serves their
 * connections. Start at {@link dev.execserver.server.network.Bridge}. The
 * {@link dev.execserver.server.network.BridgeHandler} of the {@link dev.execserver.server.network.BridgeRoute} serves a
 * connection; by default it is relayed to the proxy that the variable named.
 *
 * <p>Threads: one virtual thread for each listening socket accepts, one or two for each connection copy; the poller
 * wakes them. The thread that starts the process opens a bridge, the thread that sees its end closes it. Each bridge
 * has one lock, which guards the set of its connections.
 */
package dev.execserver.server.network;
