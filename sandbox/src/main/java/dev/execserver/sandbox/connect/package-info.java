/**
 * Decides about every TCP connection that a command opens before it is open, by the user notifications of seccomp_unotify(2). Start
 * at {@link dev.execserver.sandbox.connect.ConnectExaminer}. The command is in a network namespace of its own, which alone
 * confines it: what goes round an examined connect(2) leads nowhere. An allowed connect is made on the task's own socket, to a
 * listening socket of this server inside that namespace.
 *
 * <p>Platform threads of {@link dev.execserver.sandbox.intercept} read the task and connect; a virtual thread of each connect
 * ({@code connect-decision}) asks the policy. No locks.
 */
package dev.execserver.sandbox.connect;
