/**
 * Messages of {@code http/request}, with which a server makes an HTTP request for its client.
 *
 * <p>Start at {@link dev.execserver.protocol.net.HttpRequestParams}. One immutable record per message; no threads, no
 * locks.
 */
package dev.execserver.protocol.net;
