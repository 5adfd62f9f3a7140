/**
 * RFC 6455 framing of a server as plain code over byte arrays: no socket, no thread, no Helidon.
 *
 * <p>Start at {@link dev.execserver.server.transport.codec.MessageAssembler} for the inbound side and
 * {@link dev.execserver.server.transport.codec.FrameWriter} for the outbound side. Limits are in
 * {@link dev.execserver.server.transport.codec.FrameLimits}; a broken rule is a
 * {@link dev.execserver.server.transport.codec.WebSocketException} with the close reason that the peer shall see.
 *
 * <p>Threads: nothing here is thread safe; the inbound classes belong to a connection's reader thread. No locks.
 */
package dev.execserver.server.transport.codec;
