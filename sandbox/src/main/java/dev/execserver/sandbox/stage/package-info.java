/**
 * Assembles programs of a few hundred bytes that enter the namespaces of a sandbox and make a handful of system calls there.
 * A process with threads, such as a JVM, must not join a user namespace (setns(2)); these programs can. Start at
 * {@link dev.execserver.sandbox.stage.StageImage}. {@code sandbox.network} (listening sockets) and {@code sandbox.bwrap}
 * (mounts over protected links) decide which calls they make.
 *
 * <p>Any thread; no state, no locks.
 */
package dev.execserver.sandbox.stage;
