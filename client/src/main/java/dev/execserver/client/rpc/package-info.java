/**
 * Internal: requests and their answers on changing connections. A {@link dev.execserver.client.rpc.Link} is one
 * session. It makes one {@link dev.execserver.client.rpc.Connection} after another and carries calls from a lost
 * connection to the next.
 *
 * <p>Start reading at {@code Link}. Threads: callers; one reader per connection, which hands over and never waits; one
 * keep-alive thread per connection; one reconnecting thread while there is no connection. Locks: those of the link, of
 * a connection and of a call, taken in this order; none is held during I/O.
 */
package dev.execserver.client.rpc;
