/**
 * The credentials of the listener, read at the start and again when their files change or the operator asks for it.
 * Start at {@link dev.execserver.server.credentials.Credentials}.
 *
 * <p>Threads: the starting thread reads first; a virtual thread looks at the files on file workers; the thread of a
 * signal reloads. One lock makes reloads take turns; connection threads take none.
 */
package dev.execserver.server.credentials;
