package dev.execserver.server.session;

import dev.execserver.protocol.process.Denial;
import dev.execserver.protocol.process.ResourceUsage;
import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.process.ExitFacts;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;

/** Lines of one session in the access log: the exits of its processes and its end. Any thread; immutable. */
final class SessionLines {
    private final AccessLog log;
    private final String sessionId;
    private final Optional<Subject> owner;

    SessionLines(AccessLog log, String sessionId, Optional<Subject> owner) {
        this.log = log;
        this.sessionId = sessionId;
        this.owner = owner;
    }

    /** Returns the trail of a process. */
    ProcessTrail of(String processId) {
        return new ProcessTrail(log, sessionId, processId);
    }

    /** Logs the exit of the process when it comes. */
    void watch(ManagedProcess process) {
        if (log.on()) {
            Optional<TraceContext> trace = Traced.current().map(Span::context);
            process.whenExited(exit -> log.write(exited(exit).trace(trace)));
        }
    }

    void ended(SessionEnd why) {
        if (log.on()) {
            log.write(event(AccessKind.SESSION_ENDED).put(AccessField.REASON, why.text()));
        }
    }

    private AccessEvent event(AccessKind kind) {
        AccessEvent event = AccessEvent.of(kind).session(sessionId);
        owner.ifPresent(subject -> event.put(AccessField.USER, subject.name()));
        return event;
    }

    private AccessEvent exited(ExitFacts exit) {
        AccessEvent event = event(AccessKind.PROCESS_EXITED)
                .put(AccessField.PROCESS, exit.processId())
                .put(AccessField.PID, exit.pid())
                .put(AccessField.EXIT_CODE, exit.code())
                .put(AccessField.REASON, exit.reason())
                .put(AccessField.OUTPUT_BYTES, exit.outputBytes())
                .put(AccessField.DURATION_MS, exit.duration().toMillis());
        exit.details().usage().ifPresent(usage -> describe(event, usage));
        if (exit.denied()) {
            event.put(AccessField.DENIED, true).warning();
        }
        exit.details().denial().ifPresent(denial -> describe(event, denial));
        return event;
    }

    private static void describe(AccessEvent event, Denial denial) {
        event.put(AccessField.DENIAL_KIND, denial.kind())
                .put(AccessField.DENIAL_PATH, denial.path())
                .put(AccessField.SERVER_ADDRESS, denial.host());
    }

    private static void describe(AccessEvent event, ResourceUsage usage) {
        event.put(AccessField.CPU_MS, usage.cpuMs()).put(AccessField.PEAK_MEMORY_BYTES, usage.peakMemoryBytes());
    }
}
