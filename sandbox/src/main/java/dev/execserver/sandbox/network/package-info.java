/**
 * Managed network: a command whose only way out leads to the proxies that its variables name. Start at
 * {@link dev.execserver.sandbox.network.ProxyRoutes}, which finds the proxies and rewrites the variables;
 * {@link dev.execserver.sandbox.network.NamespaceSockets} makes the listening sockets in the network namespace of the command
 * that the variables then point to, by way of the small program that {@code StageProgram} puts together.
 *
 * <p>Request threads rewrite, and park while the sockets are made. Immutable values; no locks.
 */
package dev.execserver.sandbox.network;
