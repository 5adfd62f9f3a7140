package dev.execserver.server.transport.auth;

import java.util.List;
import java.util.Optional;

/** Admits the peers of a Unix socket, whose user was checked when they connected, as that user. */
public final class LocalUser implements Authenticator {
    private static final String ISSUER = "unix";

    @Override
    public Admission check(List<String> authorization) {
        return new Admission.Refused("only a peer on a Unix socket needs no token");
    }

    @Override
    public Admission check(Presented presented) {
        return presented.peer() instanceof LocalPeer local
                ? new Admission.Granted(Optional.of(new Subject(Optional.of(ISSUER), "uid=" + local.uid())))
                : check(presented.authorization());
    }
}
