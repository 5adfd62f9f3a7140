package dev.execserver.server.helper;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.server.session.Session;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The profiles that sessions have used, so that a helper is started ahead of time once for each. Any thread. No locks.
 */
final class PrefetchedProfiles {

    /** Largest number of profiles of a session. Further ones count as known. */
    static final int MAX_PER_SESSION = 4;

    private final Map<Session, Set<SandboxContext>> shown = new ConcurrentHashMap<>();

    boolean firstTime(Session session, SandboxContext context) {
        Set<SandboxContext> known = shown.computeIfAbsent(session, _ -> ConcurrentHashMap.newKeySet());
        return known.size() < MAX_PER_SESSION && known.add(context);
    }

    void forget(Session session) {
        shown.remove(session);
    }
}
