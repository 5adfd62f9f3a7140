/**
 * WebSocket peers and health checks on one port. Helidon listens and speaks HTTP; from the upgrade on, the socket is read
 * and written by our own frame loop (see docs/decisions/0001-websocket-codec.md).
 *
 * <p>Start at {@link dev.execserver.server.transport.websocket.WebSocketServer}: {@code Doorman} accepts, {@code
 * WebSocketUpgrader} checks the handshake, {@code WebSocketTransport} is the connection, {@code FrameOutput} its sending
 * half.
 *
 * <p>Threads: one virtual thread per connection reads; data is written by whoever calls {@code write}, control frames by
 * whoever has the writing turn or by a short-lived virtual thread; one daemon thread is the timer of all connections.
 * Locks: one per connection in {@code FrameOutput}, never held during I/O.
 */
package dev.execserver.server.transport.websocket;
