/**
 * Starts processes, reads and writes their streams, and ends them with all their descendants. Start at
 * {@link dev.execserver.sandbox.spawn.Spawner}, which makes a {@link dev.execserver.sandbox.spawn.Child} with
 * {@link dev.execserver.sandbox.spawn.AsyncFd} streams. {@link dev.execserver.sandbox.spawn.ProcessTree} ends whole trees;
 * {@link dev.execserver.sandbox.spawn.Guardian} ends them after this server itself was killed.
 *
 * <p>Callers are virtual threads, which park and never block in native code. Platform threads of this package: {@code poller}
 * (epoll, reaping), {@code spawner-N} and {@code restricted-spawner} (posix_spawn), {@code process-tree} (scans of /proc),
 * {@code orphan-reaper} (as process 1 only), and one for each running {@code Retry}. No signal handler and no subreaper is
 * installed, and only own children and, as process 1, orphans are reaped.
 *
 * <p>Locks: one in each {@code AsyncFd} (waiters, arming), {@code ProcessLeader} (signal against reap), {@code ProcessTree} (waiting
 * callers), {@code Guardian} (current shell) and {@code Retry}, and two for the JVM. {@code OwnChildren} holds its lock
 * shared across a spawn, and inside of it {@code InheritedLimits} holds its lock around posix_spawn; only spawner threads
 * take both. No other lock is held while another is taken or across a call that can block.
 */
package dev.execserver.sandbox.spawn;
