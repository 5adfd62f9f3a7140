/**
 * Processes on a server: {@link dev.execserver.client.process.ProcessMethods} has one typed method per method of the
 * protocol, {@link dev.execserver.client.process.RemoteProcess} is a handle with ordered events, streams and an
 * outcome.
 *
 * <p>Start reading at {@code RemoteProcess}, then {@code EventSequence} (order, duplicates, gaps) and
 * {@code OutputFeed} (fetches output so that one slow reader does not stop the others). Threads: callers; the reader of
 * the connection, which offers pushed events and never waits; one feed thread per process, which reads all other
 * events. Locks: one per process, in {@code EventSequence}, never held during I/O; one per handle that keeps writes in
 * order.
 */
package dev.execserver.client.process;
