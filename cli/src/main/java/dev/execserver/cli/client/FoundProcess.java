package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.session.SessionInfo;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Process of one of the sessions that can be found. */
record FoundProcess(SessionInfo session, ProcessInfo process) {

    /** Characters of the id of a session that are shown, and the least with which it is found. */
    static final int SHOWN_CHARS = 8;

    private static final int LEAST_CHARS = 4;

    /**
     * Finds a process by the name or the id of its session, or the begin of the id; with {@code /PROCESS_ID} behind it where the session has
     * several.
     *
     * @throws ConfigException when there is none, or more than one
     */
    static FoundProcess of(List<SessionInfo> sessions, String text) {
        for (SessionInfo whole : matching(sessions, text)) {
            return new FoundProcess(whole, only(whole));
        }
        int slash = text.lastIndexOf('/');
        List<SessionInfo> found = slash < 0 ? List.of() : matching(sessions, text.substring(0, slash));
        if (found.isEmpty()) {
            throw ConfigException.failure(
                    "no session is found by `%s`; `exec-server ps --all` lists them".formatted(text));
        }
        String processId = text.substring(slash + 1);
        return found.getFirst().processes().stream()
                .filter(process -> process.processId().equals(processId))
                .map(process -> new FoundProcess(found.getFirst(), process))
                .findFirst()
                .orElseThrow(() -> ConfigException.failure("the session has no process `%s`".formatted(processId)));
    }

    /** Returns the session in a list of its own; empty if there is none. */
    private static List<SessionInfo> matching(List<SessionInfo> sessions, String text) {
        List<SessionInfo> named = filter(
                sessions,
                session -> session.sessionId().equals(text)
                        || session.name().filter(text::equals).isPresent());
        List<SessionInfo> found = !named.isEmpty() || text.length() < LEAST_CHARS
                ? named
                : filter(sessions, session -> session.sessionId().startsWith(text));
        if (found.size() > 1) {
            throw ConfigException.failure(
                    "`%s` stands for %d sessions: %s; give an id".formatted(text, found.size(), ids(found)));
        }
        return found;
    }

    private static List<SessionInfo> filter(List<SessionInfo> sessions, Predicate<SessionInfo> wanted) {
        return sessions.stream()
                .filter(session -> !session.own())
                .filter(wanted)
                .toList();
    }

    private static String ids(List<SessionInfo> sessions) {
        return sessions.stream().map(SessionInfo::sessionId).collect(Collectors.joining(", "));
    }

    private static ProcessInfo only(SessionInfo session) {
        List<ProcessInfo> all = session.processes();
        List<ProcessInfo> running = all.stream().filter(ProcessInfo::running).toList();
        List<ProcessInfo> best = all.size() == 1 ? all : running;
        if (best.size() != 1) {
            throw ConfigException.failure(
                    all.isEmpty()
                            ? "the session has no process any more"
                            : "the session has %d processes; write SESSION/PROCESS_ID with one of %s"
                                    .formatted(
                                            all.size(),
                                            all.stream()
                                                    .map(ProcessInfo::processId)
                                                    .collect(Collectors.joining(", "))));
        }
        return best.getFirst();
    }
}
