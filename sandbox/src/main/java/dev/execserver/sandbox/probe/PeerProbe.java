package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.peer.LocalPeers;
import dev.execserver.sandbox.probe.Finding.Layer;
import dev.execserver.sandbox.probe.Finding.Status;
import java.util.Optional;

/** Reports whether servers can recognize the connections of sandboxed commands and so refuse them. */
final class PeerProbe {
    private PeerProbe() {}

    static Finding finding() {
        Optional<String> obstacle;
        try {
            obstacle = LocalPeers.ofThisProcess().obstacle();
        } catch (LinuxException e) {
            obstacle = Optional.of(e.getMessage());
        }
        return obstacle.map(reason -> new Finding(
                        Layer.PEERS,
                        Status.WARNING,
                        reason,
                        "A sandboxed command that has the network can have programs run outside of its sandbox by a server of"
                                + " this user that asks for no authentication, because servers cannot tell who connects.",
                        "Start servers with --ws-auth, or on a kernel that has sock_diag(7) and a /proc."))
                .orElseGet(() ->
                        Finding.ok(Layer.PEERS, "told apart", "Servers refuse the connections of sandboxed commands."));
    }
}
