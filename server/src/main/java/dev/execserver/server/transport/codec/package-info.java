/**
 * RFC 6455 framing of a server as plain code over byte arrays: no socket, no thread, no Helidon.
 *
 * <p>Start at {@link dev.execserver.server.transport.codec.MessageAssembler} for the inbound side and
 * {@link dev.execserver.server.transport.codec.FrameWriter} for the outbound side. Limits are in
 * {@link dev.execserver.server.transport.codec.FrameLimits}. A broken rule causes a
 * {@link dev.execserver.server.transport.codec.WebSocketException} with the close reason for the peer.
 *
 * <p>Threads: nothing here is thread safe; the inbound classes belong to a connection's reader thread. No locks.
 */
package dev.execserver.server.transport.codec;
