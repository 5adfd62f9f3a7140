package dev.execserver.server.transport.auth;

import java.util.Optional;

/**
 * Decides once, on the upgrade request, who may connect. Implementations are immutable, may be asked by any thread, and
 * never show their secrets in {@code toString} or messages.
 */
public sealed interface Authenticator permits NoAuthentication, CapabilityToken, SignedBearer {
    Authenticator NONE = new NoAuthentication();

    /**
     * Checks the value of the Authorization header.
     *
     * @return empty when the peer may connect, else what the 401 answer says
     */
    Optional<String> refusal(Optional<String> authorization);
}
