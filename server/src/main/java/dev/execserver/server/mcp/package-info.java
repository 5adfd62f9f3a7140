/**
 * The Model Context Protocol: what is the same for every tool. {@link dev.execserver.server.mcp.McpServer} serves the clients,
 * {@link dev.execserver.server.mcp.McpConnection} one of them; {@link dev.execserver.server.mcp.shell} has the tools.
 *
 * <p>Threads: the reader of a client parses messages and answers what needs no waiting, a virtual thread of its own runs each
 * call of a tool. Locks: {@code ServerRequests} and {@code OpenCalls} use concurrent maps; no lock is held during a call.
 */
package dev.execserver.server.mcp;
