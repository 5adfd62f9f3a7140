/**
 * Files with secrets: their exact bytes, and who else can read or change them.
 *
 * <p>Start at {@link dev.execserver.server.secret.SecretFile}. Used by the server and by the client commands, at their
 * start, when blocking file access is fine. Stateless, no locks.
 */
package dev.execserver.server.secret;
