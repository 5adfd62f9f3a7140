/**
 * HTTP/1.1 as the proxy reads and forwards it: heads, header fields, bodies, and the input of a peer with its time limits. It is
 * strict: a message that two programs could read differently is refused.
 *
 * <p>Start reading at {@link dev.execserver.server.proxy.http.RequestHead} and {@link dev.execserver.server.proxy.http.Body}. The
 * threads that serve a connection enter, each class for one of them. Locks: that of {@code ConnectionTimer} guards its timer and is
 * not held during I/O.
 */
package dev.execserver.server.proxy.http;
