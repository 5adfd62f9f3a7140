package dev.execserver.server.access;

import java.util.function.Consumer;

/**
 * Writes lines about one process, with its ids. Any thread; immutable.
 *
 * @param sessionId id of the session that the process belongs to
 */
public record ProcessTrail(AccessLog log, String sessionId, String processId) {
    /**
     * Writes a line if there is a log.
     *
     * @param description adds what there is to say
     */
    public void write(AccessKind kind, Consumer<AccessEvent> description) {
        if (log.on()) {
            AccessEvent event = AccessEvent.of(kind).session(sessionId).put(AccessField.PROCESS, processId);
            description.accept(event);
            log.write(event);
        }
    }
}
