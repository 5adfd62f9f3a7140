/**
 * From messages to methods: the JSON-RPC envelope, the handshake, the method table, errors, limits per connection.
 *
 * <p>Start reading at {@link dev.execserver.server.rpc.Dispatcher}. Each connection has one reader thread, which
 * decodes messages and hands them over. A request runs on a virtual thread of its own, unless its answer is ready at
 * once ({@link dev.execserver.server.rpc.CallRunner}). If a reader stays away for long, another thread takes its
 * {@link dev.execserver.server.rpc.ReaderHandover}. The lock of {@link dev.execserver.server.rpc.RequestGate} guards the
 * counters of one connection.
 */
package dev.execserver.server.rpc;
