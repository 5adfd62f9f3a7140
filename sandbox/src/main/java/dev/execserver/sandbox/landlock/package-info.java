/**
 * The fallback if namespaces are denied: Landlock and a system call filter on the thread that starts the command, without any
 * program in between. The thread runs {@link dev.execserver.sandbox.landlock.LandlockRestriction}, and
 * {@code sandbox.plan.LandlockPlan} decides its content. This package knows no policies.
 *
 * <p>A file worker makes a restriction, and one thread of the spawner runs it; no locks.
 */
package dev.execserver.sandbox.landlock;
