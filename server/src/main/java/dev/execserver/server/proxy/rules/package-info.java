/**
 * The decision about one connection of a process: host names and addresses, lists of hosts, the question to the client, and the
 * report of the decision.
 *
 * <p>Start reading at {@link dev.execserver.server.proxy.rules.ConnectionPolicy}. The thread that serves the connection enters and
 * may wait for a name or for the client. {@link dev.execserver.server.concurrent.NameLookups} looks up names. No locks.
 */
package dev.execserver.server.proxy.rules;
