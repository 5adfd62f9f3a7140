package dev.execserver.server.transport.auth;

import java.util.Optional;

/** Everybody who reaches the port may connect. */
record NoAuthentication() implements Authenticator {
    @Override
    public Optional<String> refusal(Optional<String> authorization) {
        return Optional.empty();
    }
}
