/**
 * The escalation protocol of execve wrappers: a shell runs a wrapper for each program, and the wrapper asks here. Start at
 * {@link dev.execserver.server.exec.wrapper.EscalationSocket}, one for each start of a command; a
 * {@link dev.execserver.server.exec.wrapper.WrapperConnection} serves one program.
 *
 * <p>Threads: a virtual thread reads each socket, one serves each connection, one waits for the client. {@code EscalationSocket} and
 * {@code WrapperServices} have concurrent sets; there are no locks.
 */
package dev.execserver.server.exec.wrapper;
