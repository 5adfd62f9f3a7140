/**
 * What a connection sends: one writer at a time, answers before events, events pulled from where they are kept.
 *
 * <p>Start reading at {@link dev.execserver.server.outbound.Outbound}. Request threads, pumps and the connection's writer
 * thread enter it, all of them virtual. The reader thread enters what never waits, and sends where it is relieved when that
 * takes long. Its lock guards two queues and is never held while a socket is written.
 */
package dev.execserver.server.outbound;
