/**
 * The life of a process of a session: its state, its input, its limits of time, its end.
 *
 * <p>Start reading at {@link dev.execserver.server.process.ManagedProcess}, then
 * {@link dev.execserver.server.process.Lifecycle} and {@link dev.execserver.server.process.ProcessEnd}. The rooms below it:
 * {@code output} (event log and its delivery), {@code client} (requests to the client), {@code network} (the proxy),
 * {@code denial} (evidence that a sandbox has refused something) and {@code start}, which alone knows this one.
 *
 * <p>Threads: request threads, and for each process one exit watcher, one thread for each limit of time and, while there is
 * input, one stdin writer, all virtual. Locks, in the order in which they may be taken: process, output log. Neither is held
 * during I/O.
 */
package dev.execserver.server.process;
