/**
 * Decides which clients may connect. It is asked once per connection, on the WebSocket upgrade request.
 *
 * <p>Start at {@link dev.execserver.server.transport.auth.Authenticator}: no authentication, a capability token that
 * both sides know, a signed bearer token (JWT), or one of several named clients. Secrets are read at start; if that fails, an {@link
 * dev.execserver.server.transport.auth.AuthConfigurationException} has a text for the operator.
 *
 * <p>Threads: everything is immutable and entered by connection threads. No locks. Secrets are compared in constant
 * time and never appear in logs or {@code toString}.
 */
package dev.execserver.server.transport.auth;
