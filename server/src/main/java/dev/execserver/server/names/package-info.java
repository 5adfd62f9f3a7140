/**
 * Answers the name queries of commands that know no proxy. Start at {@link dev.execserver.server.names.NameResponder}. No query leaves
 * the machine: a name that a command may connect to gets an address that stands for it
 * ({@link dev.execserver.server.names.SyntheticNames}), another one does not exist.
 *
 * <p>One virtual thread for each command answers; the table of names has no locks.
 */
package dev.execserver.server.names;
