package dev.execserver.server.methods;

import dev.execserver.server.rpc.ConnectionState;
import java.util.HashSet;
import java.util.Set;

/** Processes of other sessions that a connection has looked at, for the access log. Reader thread only. */
final class ObservedProcesses implements ConnectionState {

    /** Most processes that are remembered; then all are forgotten, and logged again. */
    private static final int MOST = 1_000;

    private record Key(String sessionId, String processId) {}

    private final Set<Key> seen = new HashSet<>();

    /** Returns true if the connection has not looked at this process yet, as far as is remembered. */
    boolean first(String sessionId, String processId) {
        if (seen.size() >= MOST) {
            seen.clear();
        }
        return seen.add(new Key(sessionId, processId));
    }

    @Override
    public void connectionEnded() {
        // Nothing is open.
    }
}
