/**
 * Messages about processes: start, feed, read, signal, end, and what the server reports unasked.
 *
 * <p>Start at {@link dev.execserver.protocol.process.StartParams} and {@link
 * dev.execserver.protocol.process.OutputNotification}. One immutable record per message; no threads, no locks. The two
 * messages that carry output are written by hand, see {@link dev.execserver.protocol.process.OutputNotificationEncoder}
 * and {@link dev.execserver.protocol.process.ReadResult}.
 *
 * <p>One counter per process, from 1 and without gaps, numbers its output chunks, its exit and its close ({@code seq}).
 */
package dev.execserver.protocol.process;
