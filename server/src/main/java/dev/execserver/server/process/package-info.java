/**
 * Processes of a session: starting them, keeping and numbering their output, writing their input, ending them.
 *
 * <p>Start reading at {@link dev.execserver.server.process.ManagedProcess}, then
 * {@link dev.execserver.server.process.OutputLog}. Threads: request threads, and for each process one pump for each
 * output stream, one exit watcher and, while there is input, one stdin writer, all virtual; file workers move output to
 * spill files. Locks, in the order in which they may be taken: process, output log. Neither is held during I/O.
 */
package dev.execserver.server.process;
