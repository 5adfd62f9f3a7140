/**
 * The methods of the protocol: they map requests to sessions, processes and files, and build the answers.
 *
 * <p>Start reading at {@link dev.execserver.server.methods.ProcessMethods}. A handler runs on the connection's reader
 * thread and only reserves or queues; the work that it returns runs on a virtual thread of its own. No state, no locks.
 */
package dev.execserver.server.methods;
