/**
 * Messages of the handshake: a connection begins or resumes a session.
 *
 * <p>Start at {@link dev.execserver.protocol.session.InitializeParams}. One immutable record per message; no threads,
 * no locks.
 */
package dev.execserver.protocol.session;
