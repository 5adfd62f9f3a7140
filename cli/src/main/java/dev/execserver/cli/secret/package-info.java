/**
 * Reads files with secrets as exact bytes, and finds out who else can read or change them.
 *
 * <p>Start at {@link dev.execserver.cli.secret.SecretFile}. The server and the client commands use it when they
 * start, when blocking file access is fine. Stateless, no locks.
 */
package dev.execserver.cli.secret;
