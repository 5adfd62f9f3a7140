/**
 * Starting processes, talking to them and ending them with everything they started. Start at
 * {@link dev.execserver.sandbox.spawn.Spawner}, which makes a {@link dev.execserver.sandbox.spawn.Child} with
 * {@link dev.execserver.sandbox.spawn.AsyncFd} streams; {@link dev.execserver.sandbox.spawn.ProcessTree} ends whole trees and
 * {@link dev.execserver.sandbox.spawn.Guardian} ends them when this server was killed itself.
 *
 * <p>Callers are virtual threads, which park and never block in native code. Platform threads of this package:
 * {@code poller} (epoll, reaping), {@code spawner-N} (posix_spawn), {@code process-tree} (scans of /proc). Locks: one per
 * {@code AsyncFd} (waiters, arming), one per child (signal against reap), one per {@code ProcessTree} (waiting callers), one
 * per {@code Guardian} (current shell), one for the JVM around posix_spawn (inherited limits). None is held while another is
 * taken, and none across a call that can block, except the last, which only spawner threads take. No signal handler is
 * installed, no subreaper, and only own children are reaped.
 */
package dev.execserver.sandbox.spawn;
