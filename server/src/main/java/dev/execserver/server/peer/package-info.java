/**
 * Keeps sandboxed commands from using a server as a way out. {@link dev.execserver.server.peer.UserServers} knows where the servers of this
 * user listen and if a command of theirs can reach them; {@link dev.execserver.server.peer.PeerGuard} decides about each connection then.
 *
 * <p>Connection threads ask and wait; two platform threads look into /proc. The lock of {@code UserServers} guards its counts.
 */
package dev.execserver.server.peer;
