/**
 * From messages to methods: decoding the envelope, the handshake, the table of methods, errors, bounds per connection.
 *
 * <p>Start reading at {@link dev.execserver.server.rpc.Dispatcher}. Each connection has one reader thread, which decodes
 * and hands over; a request runs on a virtual thread of its own, unless its answer is at hand
 * ({@link dev.execserver.server.rpc.CallRunner}). When a reader stays away for long another one takes its
 * {@link dev.execserver.server.rpc.ReadingTurn}. The lock of {@link dev.execserver.server.rpc.RequestGate} guards the
 * counters of one connection.
 */
package dev.execserver.server.rpc;
