/**
 * Rules for programs: which may run, which need a question, which are forbidden; and rules for the network. Start at {@link
 * dev.execserver.server.rules.RuleFiles}, which reads rules files into a {@link dev.execserver.server.rules.RuleSet}; that decides
 * about a command line. The language of the files is in {@code starlark}.
 *
 * <p>Threads: a rule set is immutable and any thread may ask it; files are read by the thread that asks for it. Locks: none.
 */
package dev.execserver.server.rules;
