/**
 * The Streamable HTTP transport of the Model Context Protocol: {@link dev.execserver.server.transport.mcp.McpEndpoint} answers the
 * requests, {@link dev.execserver.server.transport.mcp.McpClients} is what it needs of the server behind it.
 *
 * <p>Threads: that of the connection, which writes the events of a stream as they come. No locks.
 */
package dev.execserver.server.transport.mcp;
