package dev.execserver.server.transport.auth;

import java.util.List;

/**
 * Decides once, on the upgrade request, if a client may connect. Any thread may call the implementations, and they never show their secrets in {@code toString} or messages.
 */
public sealed interface Authenticator
        permits NoAuthentication,
                CapabilityToken,
                SignedBearer,
                ReplaceableAuthenticator,
                LocalUser,
                NoUpgrades,
                NamedClients,
                SlowedLogins {
    Authenticator NONE = new NoAuthentication();

    /** @param authorization the values of all Authorization headers of the request */
    Admission check(List<String> authorization);

    /** Does the same where it matters who asks. */
    default Admission check(Presented presented) {
        return check(presented.authorization());
    }
}
