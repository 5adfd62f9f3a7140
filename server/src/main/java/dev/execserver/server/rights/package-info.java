/**
 * The rights of a client that the operator has named: methods, sandbox floor and bounds. Start at {@link
 * dev.execserver.server.rights.Rights}; {@link dev.execserver.server.rights.Caller} tells whose rights count on a thread, and
 * {@link dev.execserver.server.rights.CommandBounds} which limits a command gets.
 *
 * <p>Threads: everything is immutable. No locks.
 */
package dev.execserver.server.rights;
