package dev.execserver.server.admin;

import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.session.SessionView;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tables for people. Stateless. */
final class AdminText {
    private static final String SESSION_ROW = "%-10s %-20s %-9s %8s %8s%n";
    private static final String PROCESS_ROW = "%-10s %-16s %8s %-14s %9s %9s %9s %5s %-8s %s%n";
    private static final int MIB = 1 << 20;
    private static final int MS_PER_SECOND = 1000;

    private AdminText() {}

    static String sessions(List<SessionView> sessions) {
        StringBuilder text = new StringBuilder(SESSION_ROW.formatted("SESSION", "USER", "STATE", "RUNNING", "ALL"));
        for (SessionView each : sessions) {
            text.append(SESSION_ROW.formatted(
                    AccessEvent.shortened(each.id()),
                    user(each),
                    state(each),
                    each.running(),
                    each.processes().size()));
        }
        return text.toString();
    }

    static String processes(List<RunningProcess> processes) {
        StringBuilder text = new StringBuilder(PROCESS_ROW.formatted(
                "SESSION", "PROCESS", "PID", "USER", "AGE", "CPU_S", "MEM_MIB", "TREE", "STATE", "COMMAND"));
        for (RunningProcess each : processes) {
            text.append(PROCESS_ROW.formatted(
                    AccessEvent.shortened(each.session().id()),
                    VisibleText.of(each.info().processId()),
                    each.info().pid().orElse(0),
                    user(each.session()),
                    age(each),
                    "%.1f".formatted((double) each.usage().cpuMs() / MS_PER_SECOND),
                    each.usage().memoryBytes() / MIB,
                    each.usage().processes(),
                    state(each.session()),
                    VisibleText.of(String.join(" ", each.info().argv()))));
        }
        return text.toString();
    }

    private static String user(SessionView session) {
        return VisibleText.of(session.owner().map(Subject::name).orElse("-"));
    }

    private static String state(SessionView session) {
        return session.attached() ? "attached" : "detached";
    }

    private static String age(RunningProcess process) {
        long seconds = Math.max(
                0,
                Duration.between(Instant.ofEpochMilli(process.info().startedAtMs()), Instant.now())
                        .toSeconds());
        return "%d:%02d:%02d".formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
}
