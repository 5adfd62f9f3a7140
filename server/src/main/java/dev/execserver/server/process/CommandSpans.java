package dev.execserver.server.process;

import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import java.util.Optional;

/**
 * The spans of a command that outlive its start: while its program runs, and while what it has written is read to the end. The
 * thread that starts it, its exit watcher and its last pump call one after the other.
 */
final class CommandSpans {
    private volatile Optional<Span> request = Optional.empty();
    private volatile Optional<Span> current = Optional.empty();

    /** Begins the time of the program, in the span of this thread. */
    void running(String processId, int pid) {
        request = Traced.current();
        current = Traced.begin("run");
        current.ifPresent(span -> span.put("execserver.process.id", processId).put("process.pid", pid));
    }

    /** Ends the time of the program, and begins that of its last output. */
    void exited(int code) {
        current.ifPresent(span -> span.put("process.exit.code", code).end());
        current = request.map(span -> span.child("drain"));
    }

    void closed() {
        current.ifPresent(Span::end);
    }
}
