/**
 * Internal: requests and their answers, on connections that come and go. A
 * {@link dev.execserver.client.rpc.Link} is one session; it makes a {@link dev.execserver.client.rpc.Connection} after
 * another and carries calls from the lost one to the next.
 *
 * <p>Start reading at {@code Link}. Threads: callers; one reader per connection, which hands over and never waits; one
 * keep-alive thread per connection; one reconnecting thread while there is no connection. Locks: that of the link, that
 * of a connection, that of a call, taken in this order, none of them held during I/O.
 */
package dev.execserver.client.rpc;
