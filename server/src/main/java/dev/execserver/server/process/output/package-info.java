/**
 * The output of one process: read from its streams, numbered, kept within bounds, and delivered to the client by reads and by
 * pushed events.
 *
 * <p>Start reading at {@link dev.execserver.server.process.output.OutputLog}, then
 * {@link dev.execserver.server.process.output.OutputPump} and {@link dev.execserver.server.process.output.EventPush}.
 *
 * <p>Threads: one pump for each output stream, virtual; request threads read; pumps, request threads and the clock push; file
 * workers move output to spill files. The lock of the log guards everything in it. It is taken after the lock of the process and
 * is not held during I/O.
 */
package dev.execserver.server.process.output;
