/**
 * Rules for programs on the command line, for {@code run} and {@code sandbox}: reads rules files, words the question that is asked on
 * the terminal and shows what was executed. Start at {@link dev.execserver.cli.rules.ExecTrace}.
 *
 * <p>Threads: those of the connection or the interception add, the main thread shows. Locks: {@code ExecTrace} has one for its own
 * fields.
 */
package dev.execserver.cli.rules;
