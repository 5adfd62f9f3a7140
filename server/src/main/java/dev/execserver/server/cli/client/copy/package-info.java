/**
 * What {@code exec-server cp} does. Both machines are a {@link dev.execserver.server.cli.client.copy.Side} with paths of
 * bytes, so that names survive that are not UTF-8; start reading at {@link dev.execserver.server.cli.client.copy.TreeCopier},
 * then {@link dev.execserver.server.cli.client.copy.RemoteSide}. A file appears under its name when it is complete, and not
 * before.
 *
 * <p>Threads: the main thread does everything, but the content of an upload over HTTP is read by the JDK's client, and the
 * shutdown hook of the command removes {@link dev.execserver.server.cli.client.copy.Leftovers}. Locks: none of its own.
 */
package dev.execserver.server.cli.client.copy;
