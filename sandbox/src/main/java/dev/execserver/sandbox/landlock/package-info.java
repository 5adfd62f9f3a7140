/**
 * The fallback where namespaces are denied: Landlock and a system call filter on the thread that starts the command, without
 * any program in between. {@link dev.execserver.sandbox.landlock.LandlockRestriction} is what the thread does to itself; what
 * it takes on is decided by {@code sandbox.plan.LandlockPlan}. The launcher jar holds this package too, so it knows nothing of
 * policies.
 *
 * <p>A restriction is made by a file worker and run by one thread of the spawner; no locks.
 */
package dev.execserver.sandbox.landlock;
