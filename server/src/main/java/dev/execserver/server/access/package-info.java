/**
 * The access log: who connected, what ran and how it ended, one line an event. Start at {@link
 * dev.execserver.server.access.AccessLog}.
 *
 * <p>Threads: any thread makes an event and queues it without waiting; one daemon platform thread formats and writes.
 * No locks: the queue is concurrent and bounded in bytes. Events that do not fit are counted, and the count is written.
 */
package dev.execserver.server.access;
