/**
 * Rules for programs on the command line, for {@code run} and {@code sandbox}: reads rules files, asks on the terminal and shows
 * what was executed. Start at {@link dev.execserver.server.cli.rules.TerminalApprovals}, which asks for {@code sandbox}; {@code run}
 * asks through its client.
 *
 * <p>Threads: those of the interception ask, the main thread shows. Locks: each class has one for its own fields.
 */
package dev.execserver.server.cli.rules;
