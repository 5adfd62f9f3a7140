/**
 * Runs MCP servers on the remote side: {@link dev.execserver.client.mcp.RemoteStdioTransport} is a client transport for
 * the official Java SDK of the Model Context Protocol, whose server runs as a process of an exec-server. The SDK is an
 * optional dependency of the client module; only this package needs it, and only programs that use the package must
 * have it.
 *
 * <p>Threads: two virtual threads read the process, one writes to it in the order of the messages; the SDK's handler
 * runs on the first. Locks: none of its own.
 */
package dev.execserver.client.mcp;
