/**
 * Managed network: the only way out of a command's network leads to the proxies that its variables name. Start at
 * {@link dev.execserver.sandbox.network.ProxyRoutes}, which finds the proxies and rewrites the variables.
 * {@link dev.execserver.sandbox.network.NamespaceSockets} makes the listening sockets to which the variables then point, in
 * the network namespace of the command. It uses the small program that {@code StageProgram} assembles.
 *
 * <p>Request threads rewrite, and park while the sockets are made. Immutable values; no locks.
 */
package dev.execserver.sandbox.network;
