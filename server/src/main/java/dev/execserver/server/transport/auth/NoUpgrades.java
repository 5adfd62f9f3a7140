package dev.execserver.server.transport.auth;

import java.util.List;

/** Refuses every WebSocket, for an address that has pages only. */
public final class NoUpgrades implements Authenticator {
    @Override
    public Admission check(List<String> authorization) {
        return new Admission.Refused("this address has no WebSockets, only health checks and pages for operators");
    }
}
