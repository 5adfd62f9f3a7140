/**
 * HTTP requests that the server makes for its clients, on the JDK's client and over HTTP/1.1.
 *
 * <p>Start reading at {@link dev.execserver.server.net.HttpMethods}; {@code HttpExchange} is one request with its
 * redirects, {@code BodyStream} the body that follows in notifications.
 *
 * <p>Threads: a request's virtual thread waits for the answer, a virtual thread a stream moves the body, connections' reader
 * threads reserve ids and cancel what is left. The JDK's client has two platform threads for its selectors at most and works
 * on the bounded pool of {@code HttpClients}, names are looked up on another one; both threads may hang in the resolver of
 * the C library. Locks: one in {@code ResponseBody}, one in {@code BodyStream}, never held during I/O.
 */
package dev.execserver.server.net;
