/**
 * Decides about every program that a command executes before it runs, by the user notifications of seccomp_unotify(2). Start
 * at {@link dev.execserver.sandbox.intercept.ExecSupervisor}, which makes an
 * {@link dev.execserver.sandbox.intercept.Interception} for each command. An
 * {@link dev.execserver.sandbox.intercept.ExecPolicy} gets an {@link dev.execserver.sandbox.intercept.ExecRequest} for each
 * exec and returns an {@link dev.execserver.sandbox.intercept.ExecDecision}.
 *
 * <p>An exec goes this way: the poller wakes the virtual thread of the command ({@code exec-listener}), which receives the
 * notification; a platform thread ({@code exec-worker}) reads the task and finds the file; a virtual thread
 * ({@code exec-decision}) asks the policy; the answer is given there or, with ptrace(2) or an escalation, on a worker. A
 * virtual thread ({@code exec-escalated}) waits for an escalated program, and one ({@code exec-watch}) looks for tasks that
 * have died while they were asked about. No locks; each exec is answered by the thread that claims it first.
 */
package dev.execserver.sandbox.intercept;
