package dev.execserver.server.transport.auth;

import java.util.Optional;

/**
 * Owner of a bearer token: the claim {@code sub}, which is unique only among the tokens of one issuer (RFC 7519 section
 * 4.1.2).
 */
public record Subject(Optional<String> issuer, String name) {}
