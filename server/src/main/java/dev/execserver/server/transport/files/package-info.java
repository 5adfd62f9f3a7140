/**
 * Serves whole files over plain HTTP, beside the WebSocket: {@code GET}, {@code HEAD} and {@code PUT} of
 * {@code /files?path=...}.
 *
 * <p>Start reading at {@link dev.execserver.server.transport.files.FileEndpoint}; {@code FileGuard} checks permissions.
 *
 * <p>Threads: connection threads, which are virtual, talk to the peer; file workers touch the files. A transfer has two
 * buffers, so that both work at once, and holds no more of a file than these. No locks.
 */
package dev.execserver.server.transport.files;
