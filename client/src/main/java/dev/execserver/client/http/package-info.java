/**
 * HTTP requests that the server makes for this client: {@code http/request}.
 *
 * <p>Start at {@link dev.execserver.client.http.HttpRequests}. The reader thread of a connection gives pieces of
 * streamed bodies to {@code BodyStreams} and never waits; a lock in each body guards its pieces.
 */
package dev.execserver.client.http;
