/**
 * Makes a TLS context from PEM files, for {@code --tls-cert} and {@code --tls-key}.
 *
 * <p>Start at {@link dev.execserver.server.transport.tls.PemFiles}. Everything is read and checked once, at start; an
 * error is a {@link dev.execserver.server.transport.tls.TlsConfigurationException} that names the file.
 *
 * <p>Threads: the one that starts the server. No state, no locks.
 */
package dev.execserver.server.transport.tls;
