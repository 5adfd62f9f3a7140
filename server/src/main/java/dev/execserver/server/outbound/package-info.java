/**
 * Sending: one writer per connection at a time, answers before events, events pulled from where they are stored.
 *
 * <p>Start reading at {@link dev.execserver.server.outbound.Outbound}. Request threads, pumps and the connection's
 * writer thread enter, all of them virtual. The reader thread calls only methods that never wait; where it sends an
 * answer itself, another thread can take over its reading. The lock guards two queues and is never held while a socket
 * is written.
 */
package dev.execserver.server.outbound;
