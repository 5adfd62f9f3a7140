package dev.execserver.server.transport.auth;

import java.util.List;

/** Everybody who reaches the port may connect. */
record NoAuthentication() implements Authenticator {
    @Override
    public Admission check(List<String> authorization) {
        return Admission.ANYBODY;
    }
}
