package dev.execserver.server.methods;

import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.sandbox.plan.Backend;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.ArgumentStyle;
import dev.execserver.server.process.ManagedProcess;
import java.util.Optional;

/** Describes requests for processes in the access log. Stateless. */
public final class ProcessLines {

    private ProcessLines() {}

    public static void start(StartParams params, AccessEvent event, ArgumentStyle arguments) {
        event.put(AccessField.PROCESS, params.processId())
                .put(AccessField.WORKING_DIRECTORY, params.cwd().display())
                .put(AccessField.INTERACTIVE, params.tty())
                .put(AccessField.SANDBOX_REQUESTED, params.sandbox().isPresent());
        arguments.put(event, params.argv());
        params.metadata().ifPresent(metadata -> {
            metadata.threadId().ifPresent(id -> event.put(AccessField.THREAD_ID, id.toString()));
            event.put(AccessField.TOOL_CALL_ID, metadata.toolCallId());
        });
    }

    /** Adds what is known after the start. */
    public static void started(AccessEvent event, ManagedProcess process, Optional<Backend> backend) {
        event.put(AccessField.PID, process.describe().pid())
                .put(AccessField.SANDBOX_BACKEND, backend.orElse(Backend.NONE).text());
    }

    static void signal(SignalParams params, AccessEvent event, ArgumentStyle arguments) {
        event.put(AccessField.PROCESS, params.processId()).put(AccessField.SIGNAL, params.signal());
    }

    static void terminate(TerminateParams params, AccessEvent event, ArgumentStyle arguments) {
        event.put(AccessField.PROCESS, params.processId());
    }
}
