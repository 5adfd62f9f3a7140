/**
 * Paths in messages: {@code file:} URIs, or native absolute paths from older clients.
 *
 * <p>Start at {@link dev.execserver.protocol.paths.PathUri}. A Linux file name is bytes, not text, and stays bytes from
 * the percent escapes of a request to those of the answer. Immutable values, no threads, no locks. No file is accessed,
 * so the path may not exist.
 */
package dev.execserver.protocol.paths;
