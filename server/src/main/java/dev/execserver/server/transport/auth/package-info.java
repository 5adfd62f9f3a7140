/**
 * Who may connect. Asked once per connection, on the WebSocket upgrade request.
 *
 * <p>Start at {@link dev.execserver.server.transport.auth.Authenticator}: nobody is asked, a capability token that both
 * sides know, or a signed bearer token (JWT, HS256 only). Secrets are read at start; a failure to do so is an
 * {@link dev.execserver.server.transport.auth.AuthConfigurationException} in words for the operator.
 *
 * <p>Threads: everything is immutable and entered by connection threads. No locks. Secrets are compared in constant time
 * and never appear in logs or {@code toString}.
 */
package dev.execserver.server.transport.auth;
