/**
 * Tools of the black-box tests for the packaged server: a launcher ({@link ServerProcess}), a WebSocket client that can
 * misbehave on purpose ({@link WireClient} over {@link RawWebSocket}), a stdio client, and readers of {@code /proc}.
 *
 * <p>Start at {@link SharedServer}: it owns one server for a test class and hands out clients. Nothing here knows a class of
 * the server; the wire protocol is the only contract. Tests never sleep: they wait for futures that a client's reader thread
 * completes, or poll {@code /proc} with a limit. Each client has one daemon reader thread; a monitor guards the recorded
 * events.
 */
package dev.execserver.it.support;
