/**
 * The words on the wire: the JSON-RPC envelope in {@code rpc}, one record per message in the packages beside it.
 *
 * <p>Start reading at {@link dev.execserver.protocol.rpc.EnvelopeDecoder} for what comes in and at {@link
 * dev.execserver.protocol.rpc.MessageEncoder} for what goes out. Nothing here does I/O, starts a thread or owns a lock;
 * every record is immutable.
 */
package dev.execserver.protocol;
