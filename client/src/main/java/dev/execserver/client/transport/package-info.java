/**
 * Internal: connections to a server. A {@link dev.execserver.client.transport.ClientTransport} carries whole messages
 * over a WebSocket or the standard streams of a program; a {@link dev.execserver.client.transport.Connector} opens one.
 *
 * <p>Start reading at {@code ClientTransport}. One thread receives, any thread may send; each transport has one lock
 * around its writes. The WebSocket codec is our own (RFC 6455, no extensions). The JDK's client was no choice: it
 * delivers text as characters, so that every message would be converted twice, uses callbacks instead of blocking, and
 * cannot omit its own request headers.
 */
package dev.execserver.client.transport;
