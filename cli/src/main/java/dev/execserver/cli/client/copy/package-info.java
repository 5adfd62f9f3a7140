/**
 * Implements {@code exec-server cp}. Both machines are a {@link dev.execserver.cli.client.copy.Side} with paths
 * of bytes, so that names that are not UTF-8 are kept. Start reading at
 * {@link dev.execserver.cli.client.copy.TreeCopier}, then
 * {@link dev.execserver.cli.client.copy.RemoteSide}. A file appears under its name only when it is complete.
 *
 * <p>Threads: the main thread does everything, with two exceptions: the JDK's client reads the content of an upload
 * over HTTP, and the shutdown hook of the command removes {@link dev.execserver.cli.client.copy.IncompleteFiles}.
 * Locks: none of its own.
 */
package dev.execserver.cli.client.copy;
