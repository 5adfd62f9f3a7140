package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Certificate and key that make the listener {@code wss://}.
 *
 * @param certificate PEM file: the server's certificate, then those of its issuers
 * @param key PEM file: the private key, PKCS#8, not encrypted
 * @param clientCa PEM file: the authorities of the certificates of clients
 */
public record Tls(Path certificate, Path key, Optional<Path> clientCa) {
    public Tls(Path certificate, Path key) {
        this(certificate, key, Optional.empty());
    }

    public Tls {
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
        requireNonNull(clientCa, "clientCa");
    }
}
