package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;

/**
 * The {@code managedNetwork} member of {@code process/start}, which completes {@code enforceManagedNetwork}. Its other
 * members, {@code allowLocalBinding} and {@code allowUnixSockets}, have no effect on Linux: a command may always bind
 * in its own network, and a system call filter cannot distinguish single Unix sockets.
 *
 * @param loopbackPorts allowed ports of proxies; an empty list allows any
 * @param allUnixSockets true if the command may use Unix sockets
 */
public record ManagedNetwork(List<Integer> loopbackPorts, boolean allUnixSockets) {
    /** Values when the member is absent. */
    public static final ManagedNetwork DEFAULT = new ManagedNetwork(List.of(), false);

    private static final int MAX_PORT = 65535;

    public ManagedNetwork {
        loopbackPorts = List.copyOf(loopbackPorts);
    }

    /** Reads the member. Every part of it may be absent; unknown parts are ignored. */
    public static ManagedNetwork read(JsonSlice value) {
        ParamsReader in = ParamsReader.of(value, "ManagedNetworkSandboxContext");
        List<Integer> loopbackPorts = DEFAULT.loopbackPorts;
        boolean allUnixSockets = false;
        while (in.next()) {
            switch (in.name()) {
                case "loopbackPorts" -> loopbackPorts = in.integers(0, MAX_PORT, "u16");
                case "allowLocalBinding" -> in.bool();
                case "allowUnixSockets" -> in.strings();
                case "dangerouslyAllowAllUnixSockets" -> allUnixSockets = in.bool();
                default -> {}
            }
        }
        return new ManagedNetwork(loopbackPorts, allUnixSockets);
    }
}
