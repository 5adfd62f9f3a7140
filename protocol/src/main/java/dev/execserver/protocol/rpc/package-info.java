/**
 * Envelope of the protocol: messages, ids, error codes, decoding of what was received and encoding of what is sent.
 *
 * <p>Start at {@link dev.execserver.protocol.rpc.EnvelopeDecoder}. A connection's reader thread gathers messages
 * ({@link dev.execserver.protocol.rpc.MessageIntake}) and decodes their envelopes; the
 * thread of a request decodes its params with {@link dev.execserver.protocol.rpc.ParamsReader}; whoever answers fills
 * a {@link dev.execserver.protocol.rpc.MessageBuffer} of its own. Only {@code MessageBuffer}, {@code MessageIntake},
 * {@code ParamsReader} and the decoders have mutable state and none of them may be shared between threads. No locks.
 *
 * <p>Received bytes are not copied: a {@link dev.execserver.protocol.rpc.JsonSlice} is a range of the message, which
 * must therefore not be reused while a slice of it is alive. Long strings of large messages lie beside the text, see
 * {@link dev.execserver.protocol.rpc.ReceivedMessage}.
 */
package dev.execserver.protocol.rpc;
