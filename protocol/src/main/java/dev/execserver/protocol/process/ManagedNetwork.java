package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;

/**
 * The {@code managedNetwork} member of {@code process/start}, which completes {@code enforceManagedNetwork}. Its other
 * member, {@code allowLocalBinding}, has no effect on Linux: a command may always bind in its own network.
 *
 * @param loopbackPorts allowed ports of proxies; an empty list allows any
 * @param unixSockets paths of the Unix sockets that the command may connect to, as they were written
 * @param allUnixSockets true if the command may use Unix sockets
 */
public record ManagedNetwork(List<Integer> loopbackPorts, List<String> unixSockets, boolean allUnixSockets) {
    /** Values when the member is absent. */
    public static final ManagedNetwork DEFAULT = new ManagedNetwork(List.of(), List.of(), false);

    private static final int MAX_PORT = 65535;

    public ManagedNetwork {
        loopbackPorts = List.copyOf(loopbackPorts);
        unixSockets = List.copyOf(unixSockets);
    }

    /** Reads the member. Every part of it may be absent; unknown parts are ignored. */
    public static ManagedNetwork read(JsonSlice value) {
        ParamsReader in = ParamsReader.of(value, "ManagedNetworkSandboxContext");
        List<Integer> loopbackPorts = DEFAULT.loopbackPorts;
        List<String> unixSockets = DEFAULT.unixSockets;
        boolean allUnixSockets = false;
        while (in.next()) {
            switch (in.name()) {
                case "loopbackPorts" -> loopbackPorts = in.integers(0, MAX_PORT, "u16");
                case "allowLocalBinding" -> in.bool();
                case "allowUnixSockets" -> unixSockets = in.strings();
                case "dangerouslyAllowAllUnixSockets" -> allUnixSockets = in.bool();
                default -> {}
            }
        }
        return new ManagedNetwork(loopbackPorts, unixSockets, allUnixSockets);
    }
}
