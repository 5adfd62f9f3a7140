/**
 * Keeps sandboxed commands from using a server as a way out: {@link dev.execserver.server.peer.PeerGuard} decides about each connection.
 *
 * <p>Connection threads ask and wait; one platform thread looks into /proc. No locks.
 */
package dev.execserver.server.peer;
