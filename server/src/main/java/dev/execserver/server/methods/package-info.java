/**
 * The methods of the protocol, one class for each family: they map requests to sessions, processes, files, watches and HTTP
 * requests, and build the answers.
 *
 * <p>Start reading at {@link dev.execserver.server.methods.ProcessMethods}. A handler runs on the connection's reader
 * thread and only reserves or queues; the work that it returns runs on a virtual thread of its own, or on a file worker. No
 * locks. State belongs to sessions and connections.
 */
package dev.execserver.server.methods;
