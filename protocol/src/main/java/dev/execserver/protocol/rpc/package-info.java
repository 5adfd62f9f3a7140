/**
 * Envelope of the protocol: messages, ids, error codes, decoding of received messages and encoding of sent ones.
 *
 * <p>Start at {@link dev.execserver.protocol.rpc.EnvelopeDecoder}. The reader thread of a connection collects messages
 * ({@link dev.execserver.protocol.rpc.MessageIntake}) and decodes their envelopes. The thread of a request decodes its
 * params with {@link dev.execserver.protocol.rpc.ParamsReader}. A thread that answers fills its own
 * {@link dev.execserver.protocol.rpc.MessageBuffer}. Only {@code MessageBuffer}, {@code MessageIntake},
 * {@code ParamsReader} and the decoders have mutable state, and none of them may be shared between threads. No locks.
 *
 * <p>Received bytes are not copied: a {@link dev.execserver.protocol.rpc.JsonSlice} is a range of the message, which
 * must not be reused while a slice of it is in use. Long strings of large messages are kept beside the text, see
 * {@link dev.execserver.protocol.rpc.ReceivedMessage}.
 */
package dev.execserver.protocol.rpc;
