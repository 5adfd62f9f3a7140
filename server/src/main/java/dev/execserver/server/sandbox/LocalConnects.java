package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.connect.AllowedSockets;
import dev.execserver.sandbox.connect.ConnectExaminer;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.ExecSupervisor;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.peer.ServerProcess;
import dev.execserver.sandbox.plan.ProxiedNetwork.UnixUse;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.server.proxy.ProcessProxy.Transparent;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connects of one command of the command line, which are examined if it uses transparent TCP or Unix sockets that are listed. Used by
 * the main thread.
 */
final class LocalConnects implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalConnects.class);

    private final boolean transparent;
    private final Set<LinuxPath> listed;
    private final Optional<ExecSupervisor> supervisor;
    private Optional<AllowedSockets> sockets = Optional.empty();

    /** @throws SandboxRefusedException if a path can never match, or connects cannot be examined */
    LocalConnects(Poller poller, Optional<LocalNetwork> network) {
        this.transparent = network.flatMap(LocalNetwork::proxy)
                .filter(NetworkProxySettings::transparentTcp)
                .isPresent();
        try {
            this.listed = UnixSocketPaths.of(network.map(LocalNetwork::managed)
                    .filter(managed -> !managed.allUnixSockets())
                    .map(managed -> managed.unixSockets().stream())
                    .orElse(Stream.empty()));
        } catch (RpcException e) {
            throw new SandboxRefusedException(e.message());
        }
        this.supervisor = transparent || !listed.isEmpty() ? Optional.of(supervisor(poller, what())) : Optional.empty();
    }

    private String what() {
        return transparent ? "transparent TCP" : "allowUnixSockets";
    }

    private static ExecSupervisor supervisor(Poller poller, String what) {
        Machine machine = Machine.current()
                .orElseThrow(() -> new SandboxRefusedException(what + " is not possible on this processor"));
        try {
            ServerProcess.announce();
        } catch (IOException e) {
            throw new SandboxRefusedException(what + " is not possible on this machine: " + e);
        }
        return new ExecSupervisor(poller, machine);
    }

    /** Returns the network with what this examines. */
    WantedNetwork network(LocalNetwork network) {
        WantedNetwork plain = WantedNetwork.unexamined(network.managed());
        return new WantedNetwork(plain.given(), transparent, listed.isEmpty() ? plain.unixSockets() : UnixUse.LISTED);
    }

    /** Returns the examiner for one attempt; empty if connects are left to the kernel. @param transparency serves programs that know no proxy */
    Optional<CallExaminer> examiner(Optional<Transparent> transparency, ResolvedPolicy policy) {
        close(sockets);
        sockets = listed.isEmpty()
                ? Optional.empty()
                : Optional.of(AllowedSockets.open(listed, policy, LocalConnects::refused));
        return supervisor.map(_ -> new ConnectExaminer(transparency.map(Transparent::connects), sockets));
    }

    private static void refused(AllowedSockets.Refused refused) {
        LOG.info(
                "a connection to Unix socket {} was refused: {}", refused.path().orElse("-"), refused.why());
    }

    /** Returns the interception of a command without rules for its programs. */
    Interception intercept(CallExaminer connects) {
        return supervisor.orElseThrow().intercept(Optional.empty(), Optional.of(connects));
    }

    private static void close(Optional<AllowedSockets> sockets) {
        sockets.ifPresent(AllowedSockets::close);
    }

    @Override
    public void close() {
        supervisor.ifPresent(ExecSupervisor::close);
        close(sockets);
    }
}
