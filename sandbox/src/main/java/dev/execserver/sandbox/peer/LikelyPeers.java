package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.ProcessCalls;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * The processes of recent connections, newest first: clients connect again. The search begins with them; nothing else depends on them.
 * One thread.
 */
final class LikelyPeers {
    private static final int KEPT = 8;

    private final SequencedSet<Integer> pids = new LinkedHashSet<>();

    void remember(PeerOrigin origin) {
        if (origin instanceof PeerOrigin.Unconfined(int pid) && pid != ProcessCalls.ownPid()) {
            pids.addFirst(pid);
            if (pids.size() > KEPT) {
                pids.removeLast();
            }
        }
    }

    Collection<Integer> pids() {
        return List.copyOf(pids);
    }
}
