/**
 * Internal: ways to a server. A {@link dev.execserver.client.transport.ClientTransport} moves whole messages over a
 * WebSocket or the standard streams of a program; a {@link dev.execserver.client.transport.Connector} opens one.
 *
 * <p>Start reading at {@code ClientTransport}. One thread receives, any thread may send; each transport owns one lock
 * around its writes. The WebSocket codec is our own (RFC 6455, no extensions) because the JDK's client hands out text as
 * characters, so that every message would be converted twice, calls back instead of blocking, and cannot leave out its
 * own request headers.
 */
package dev.execserver.client.transport;
