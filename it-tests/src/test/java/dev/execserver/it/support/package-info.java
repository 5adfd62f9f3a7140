/**
 * What the black-box tests drive the packaged server with: a launcher ({@link ServerProcess}), a WebSocket client that may misbehave on
 * purpose ({@link WireClient} over {@link RawWebSocket}), a stdio client, and readers of {@code /proc}.
 *
 * <p>Start reading at {@link SharedServer}: it owns one server for a test class and hands out clients. Nothing here knows a class of the
 * server; the wire is the only contract. Tests never sleep: they wait for futures that a client's reader thread completes, or poll
 * {@code /proc} with a limit. Each client has one daemon reader thread; the recorded events are guarded by the recorder's monitor.
 */
package dev.execserver.it.support;
