package dev.execserver.server.session;

import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.server.transport.auth.Subject;
import java.util.List;
import java.util.Optional;

/**
 * State of a session for the operator.
 *
 * @param owner empty if everybody may resume it
 * @param processes also those that have ended and are still readable
 */
public record SessionView(String id, Optional<Subject> owner, boolean attached, List<ProcessInfo> processes) {
    static SessionView of(Session session) {
        return new SessionView(
                session.id(),
                session.owner,
                session.attachment().isPresent(),
                session.processes().stream().map(process -> process.describe()).toList());
    }

    /** Returns the number of processes that run. */
    public long running() {
        return processes.stream().filter(ProcessInfo::running).count();
    }
}
