/**
 * An MCP server on the remote side: {@link dev.execserver.it.mcp.WaitingMcpServer} is a real one, a program of its own that
 * {@code McpIT} has an exec-server start. Threads: those of the SDK.
 */
package dev.execserver.it.mcp;
