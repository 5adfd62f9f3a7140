/**
 * Works out who is behind a connection and where this server begins when a reverse proxy stands before it. Start at {@link
 * dev.execserver.server.transport.origin.Forwarding}. Connection threads; immutable, no locks.
 */
package dev.execserver.server.transport.origin;
