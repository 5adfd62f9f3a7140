/**
 * The fallback where namespaces are denied: Landlock and a system call filter on the thread that starts the command, without
 * any program in between. Start at {@link dev.execserver.sandbox.landlock.LandlockPlan}, which takes only what it enforces
 * exactly; {@link dev.execserver.sandbox.landlock.LandlockRestriction} is what the thread does to itself.
 *
 * <p>Plans are immutable. A restriction is made by a file worker and run by one thread of the spawner; no locks.
 */
package dev.execserver.sandbox.landlock;
