/**
 * Messages about processes: start, stdin, output, signals, end, and the notifications of the server.
 *
 * <p>Start at {@link dev.execserver.protocol.process.StartParams} and
 * {@link dev.execserver.protocol.process.OutputNotification}. One immutable record per message; no threads, no locks.
 * The two messages that carry output are encoded without a generator, see
 * {@link dev.execserver.protocol.process.OutputNotificationEncoder} and
 * {@link dev.execserver.protocol.process.ReadResult}.
 *
 * <p>One counter per process, from 1 and without gaps, numbers its output chunks, its exit and its close ({@code seq}).
 */
package dev.execserver.protocol.process;
