/**
 * The tools of the MCP server: {@code shell} and those for commands in the background. Start at
 * {@link dev.execserver.server.mcp.shell.ShellTools}, which belongs to one client; {@link dev.execserver.server.mcp.shell.Commands}
 * starts commands in the process layer, as {@code process/start} does, in a session of the client.
 *
 * <p>Threads: each call has a virtual thread. Locks: {@code SandboxState} and {@code RulesSource} have volatile fields only.
 */
package dev.execserver.server.mcp.shell;
