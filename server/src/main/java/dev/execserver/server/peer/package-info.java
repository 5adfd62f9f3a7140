/**
 * Keeps sandboxed commands from using a server as a way out: {@link dev.execserver.server.peer.PeerGuard} checks each connection.
 *
 * <p>Connection threads call and wait; one platform thread reads /proc. No locks.
 */
package dev.execserver.server.peer;
