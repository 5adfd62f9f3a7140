/**
 * Programs of a few hundred bytes that enter the namespaces of a sandbox and make a handful of system calls there. A process
 * with threads, as a JVM is, may not join a user namespace (setns(2)); these may. Start at
 * {@link dev.execserver.sandbox.stage.StageImage}; what they do is decided by {@code sandbox.network} (listening sockets) and
 * {@code sandbox.bwrap} (mounts over protected links).
 *
 * <p>Any thread; no state, no locks.
 */
package dev.execserver.sandbox.stage;
