/**
 * HTTP/1.1 requests that the server makes for its clients with the JDK's client.
 *
 * <p>Start reading at {@link dev.execserver.server.net.HttpExchange}, one request with its redirects; {@code BodyStream} is the
 * body that follows in notifications.
 *
 * <p>Threads: a request's virtual thread waits for the answer, one virtual thread for each stream moves the body, the
 * reader threads of connections reserve ids and cancel. The JDK's clients have at most two platform threads for their
 * selectors and work on the bounded pool of {@code HttpClients}. A second pool looks up names. The threads of both
 * pools may hang in the resolver of the C library. Locks: one in {@code ResponseBody}, one in {@code BodyStream}, never
 * held during I/O.
 */
package dev.execserver.server.net;
