/**
 * Messages of the protocol: the JSON-RPC envelope in {@code rpc}, and one record per message in the other packages.
 *
 * <p>Start reading at {@link dev.execserver.protocol.rpc.EnvelopeDecoder} for received messages and at
 * {@link dev.execserver.protocol.rpc.MessageEncoder} for sent ones. Nothing here does I/O, starts a thread or owns a
 * lock; every record is immutable.
 */
package dev.execserver.protocol;
