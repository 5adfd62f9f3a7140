/**
 * WebSocket peers and health checks on one port. Helidon listens and speaks HTTP; from the upgrade on, our own frame
 * loop reads and writes the socket (see docs/decisions/0001-websocket-codec.md).
 *
 * <p>Start at {@link dev.execserver.server.transport.websocket.WebSocketServer}: {@code PendingConnections} accepts,
 * {@code WebSocketUpgrader} checks the handshake, {@code WebSocketTransport} is the connection, {@code FrameOutput} its
 * sending half.
 *
 * <p>Threads: one virtual thread per connection reads; the thread that calls {@code write} writes data; the thread that
 * has the writing turn, or a short-lived virtual thread, writes control frames; one daemon thread is the timer of all
 * connections. Locks: one per connection in {@code FrameOutput}, never held during I/O.
 */
package dev.execserver.server.transport.websocket;
