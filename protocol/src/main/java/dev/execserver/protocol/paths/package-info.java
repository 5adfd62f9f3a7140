/**
 * Paths as they travel: {@code file:} URIs, or native absolute paths from older clients.
 *
 * <p>Start at {@link dev.execserver.protocol.paths.PathUri}. A Linux file name is bytes, not text, and stays bytes from
 * the percent escapes of a request to those of the answer. Immutable values, no threads, no locks, no file access:
 * whether a path exists is somebody else's question.
 */
package dev.execserver.protocol.paths;
