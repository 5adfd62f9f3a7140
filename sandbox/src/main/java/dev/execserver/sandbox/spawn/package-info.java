/**
 * Starts processes and watches them until their exit. Start at {@link dev.execserver.sandbox.spawn.Spawner}, which makes a
 * {@link dev.execserver.sandbox.spawn.Child} with {@link dev.execserver.sandbox.io.AsyncFd} streams.
 *
 * <p>Callers are virtual threads, which park and never block in native code. Platform threads of this package: {@code spawner-N} and
 * {@code restricted-spawner} (posix_spawn), {@code orphan-reaper} (as process 1 only), and one for each running {@code Retry}. No
 * signal handler and no subreaper is installed, and only own children and, as process 1, orphans are reaped.
 *
 * <p>Locks: one in each {@code ProcessLeader} (signal against reap) and {@code Retry}, and two for the JVM. {@code OwnChildren} holds
 * its lock shared across a spawn, and inside of it {@code InheritedLimits} holds its lock around posix_spawn; only spawner threads
 * take both. No other lock is held while another is taken or across a call that can block.
 */
package dev.execserver.sandbox.spawn;
