/**
 * Carries whole messages between the server and one peer: {@link dev.execserver.server.transport.Transport} over
 * WebSocket, standard streams or memory. Knows no JSON and no method; {@code rpc} above knows no socket.
 *
 * <p>Start at {@link dev.execserver.server.transport.Transport}, then {@code websocket.WebSocketServer} for the network
 * side. {@code codec} is RFC 6455 over byte arrays, {@code auth} decides on the upgrade request, {@code tls} reads PEM
 * files.
 *
 * <p>Threads: one reader thread per connection, one writer at a time. A reader never waits for a write: it queues
 * control frames, and the thread that has the writing turn, or a short-lived virtual thread, writes them.
 */
package dev.execserver.server.transport;
