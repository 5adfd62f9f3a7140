/**
 * The evidence that a sandbox has denied something to a command: reads the first output for the messages of the usual programs
 * and compares the paths in them with the policy.
 *
 * <p>Start reading at {@link dev.execserver.server.process.denial.DenialScan}. The pumps of a process feed it, the thread that
 * reports the exit asks; see the class for the lock.
 */
package dev.execserver.server.process.denial;
