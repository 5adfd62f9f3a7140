/**
 * Rules for the programs that commands execute: the operator's and those of the client, which the interception of
 * {@link dev.execserver.sandbox.intercept} enforces. Start at {@link dev.execserver.server.exec.ExecInterceptions}, which opens
 * a {@link dev.execserver.server.exec.CommandExecs} for each command with rules; its
 * {@link dev.execserver.server.exec.ExecDecisions} decide.
 *
 * <p>Threads: requests open, workers of the interception ask for decisions at hand, a virtual thread of each exec asks the
 * client. Locks: {@code RememberedAnswers}, {@code CommandClock} and {@code ExecInterceptions} guard their own fields; none is
 * held while another is taken, nor during a question.
 */
package dev.execserver.server.exec;
