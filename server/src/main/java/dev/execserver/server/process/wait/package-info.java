/**
 * Waiting for conditions of a process: {@code process/wait}.
 *
 * <p>Start reading at {@link dev.execserver.server.process.wait.ProcessWait}. Each wait runs on the thread of its request; it looks at the
 * output as an observer does, and takes no lock of its own.
 */
package dev.execserver.server.process.wait;
