package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;

/**
 * The {@code managedNetwork} member of {@code process/start}: what goes with {@code enforceManagedNetwork}. The other members of
 * it, {@code allowLocalBinding} and {@code allowUnixSockets}, mean nothing on Linux: a command may always bind in its own
 * network, and single Unix sockets cannot be told apart by a filter.
 *
 * @param loopbackPorts ports that a proxy may have; none for any
 * @param allUnixSockets whether the command may use Unix sockets
 */
public record ManagedNetwork(List<Integer> loopbackPorts, boolean allUnixSockets) {
    /** When nothing is said. */
    public static final ManagedNetwork DEFAULT = new ManagedNetwork(List.of(), false);

    private static final int MAX_PORT = 65535;

    public ManagedNetwork {
        loopbackPorts = List.copyOf(loopbackPorts);
    }

    /** Every member may be absent, unknown ones are ignored. */
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
