/**
 * MCP clients that come over HTTP: {@link dev.execserver.server.mcp.http.HttpSessions} has their sessions, whose messages lie in
 * {@link dev.execserver.server.mcp.http.EventStream}s until the client has them.
 *
 * <p>Threads: those of HTTP connections, and those of calls, which send. Locks: {@code HttpSession} guards its streams and its expiry,
 * {@code EventStream} its messages; a session may take the lock of a stream, never the other way.
 */
package dev.execserver.server.mcp.http;
