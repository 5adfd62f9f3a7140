/**
 * Messages for the network: {@code http/request}, with which a server makes an HTTP request for its client, and the
 * proxy of a process with its questions to the client.
 *
 * <p>Start at {@link dev.execserver.protocol.net.HttpRequestParams} and
 * {@link dev.execserver.protocol.net.NetworkProxyConfig}. One immutable record per message; no threads, no locks.
 */
package dev.execserver.protocol.net;
