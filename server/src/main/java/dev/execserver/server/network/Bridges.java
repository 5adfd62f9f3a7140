package dev.execserver.server.network;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.network.ProxyEndpoint;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.server.memory.DescriptorBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Opens the bridges of a server's commands. Holds what they share. Any thread, no locks. */
public final class Bridges {
    /** Native buffers that are kept for copying. More are made when needed. */
    private static final int IDLE_BUFFERS = 64;

    private final Poller poller;
    private final DescriptorBudget descriptors;
    private final Buffers buffers = new Buffers(IDLE_BUFFERS);

    public Bridges(Poller poller, DescriptorBudget descriptors) {
        this.poller = poller;
        this.descriptors = descriptors;
    }

    /**
     * Begins to serve the connections of a command.
     *
     * @param listeners listening sockets in its network namespace, one for each route in the same order, and perhaps one more; the
     * bridge closes them
     * @param handlers handlers of endpoints that need more than a relay
     * @param beyond handler of the listening socket that belongs to no route
     */
    public Bridge open(
            List<AsyncFd> listeners, ProxyRoutes routes, List<BridgeRoute> handlers, Optional<BridgeHandler> beyond) {
        List<Bridge.BridgeListener> doors = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            boolean ofRoute = i < routes.endpoints().size();
            doors.add(new Bridge.BridgeListener(
                    listeners.get(i), ofRoute ? handler(routes.endpoints().get(i), handlers) : beyond.orElseThrow()));
        }
        return Bridge.open(doors, poller, descriptors);
    }

    private BridgeHandler handler(ProxyEndpoint endpoint, List<BridgeRoute> handlers) {
        return handlers.stream()
                .filter(route -> endpoint.addresses().contains(route.endpoint()))
                .map(BridgeRoute::handler)
                .findFirst()
                .orElseGet(() -> new LoopbackRelay(endpoint.addresses(), poller, buffers, descriptors));
    }
}
