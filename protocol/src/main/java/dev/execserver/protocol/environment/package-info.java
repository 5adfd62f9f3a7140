/**
 * Messages in which a server describes itself and its host.
 *
 * <p>Start at {@link dev.execserver.protocol.environment.EnvironmentInfo}. One immutable record per message; no
 * threads, no locks.
 */
package dev.execserver.protocol.environment;
