package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Certificate and key that make the listener {@code wss://}.
 *
 * @param certificate PEM file: the server's certificate, then those of its issuers
 * @param key PEM file: the private key, PKCS#8, not encrypted
 */
public record Tls(Path certificate, Path key) {
    public Tls {
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
    }
}
