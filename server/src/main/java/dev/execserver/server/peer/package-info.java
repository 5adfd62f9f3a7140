/**
 * Prevents sandboxed commands from using a server as a way out. {@link dev.execserver.server.peer.UserServers} knows on
 * which ports the servers of this user listen, and if a sandboxed command can reach them. If so, {@link
 * dev.execserver.server.peer.PeerGuard} decides about each connection.
 *
 * <p>Connection threads ask and wait; two platform threads read /proc. The lock of {@code UserServers} guards its
 * counts.
 */
package dev.execserver.server.peer;
