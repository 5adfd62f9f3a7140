package dev.execserver.server.admin;

import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.server.process.ProcessUsage;
import dev.execserver.server.session.SessionView;
import java.util.Comparator;
import java.util.List;

/** Process that runs now, with its session and what its tree uses. */
record RunningProcess(SessionView session, ProcessInfo info, ProcessUsage.Sum usage) {

    /** Returns those of all sessions, the ones with the most processor time first. */
    static List<RunningProcess> of(List<SessionView> sessions) {
        ProcessUsage usage = ProcessUsage.now();
        return sessions.stream()
                .flatMap(session -> session.processes().stream()
                        .filter(ProcessInfo::running)
                        .map(info -> new RunningProcess(
                                session, info, usage.ofTree(info.pid().orElse(0)))))
                .sorted(Comparator.comparingLong(
                                (RunningProcess each) -> each.usage().cpuMs())
                        .reversed())
                .toList();
    }
}
