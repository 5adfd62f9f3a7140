package dev.execserver.server.methods;

import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.session.ObserveParams;
import dev.execserver.protocol.session.ObserveResult;
import dev.execserver.protocol.session.SessionInfo;
import dev.execserver.protocol.session.SessionListResult;
import dev.execserver.protocol.session.SessionMethodNames;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessUsage;
import dev.execserver.server.process.output.LogView;
import dev.execserver.server.process.wait.ProcessWait;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.session.Session;
import dev.execserver.server.session.SessionRegistry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Methods by which a client finds sessions of its principal and looks at their processes: {@code session/list},
 * {@code session/observe} and {@code process/wait}. Handlers run on reader threads, the rest on request threads; no state of its own.
 */
public final class ObserverMethods {

    private final SessionRegistry sessions;
    private final FileWorkers files;
    private final AccessLog access;

    public ObserverMethods(SessionRegistry sessions, FileWorkers files, AccessLog access) {
        this.access = access;
        this.sessions = sessions;
        this.files = files;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(
                                SessionMethodNames.LIST,
                                MethodFamily.PROCESS,
                                FloorRule.TELL,
                                (params, dialect) -> params,
                                (call, params) -> () -> list(call))
                        .asAdditive(),
                Method.ordinary(
                                SessionMethodNames.OBSERVE,
                                MethodFamily.PROCESS,
                                FloorRule.TELL,
                                ObserveParams::read,
                                this::observe)
                        .asAdditive(),
                Method.ordinary(
                                ProcessMethodNames.WAIT,
                                MethodFamily.PROCESS,
                                FloorRule.TELL,
                                WaitParams::read,
                                this::await)
                        .asAdditive());
    }

    private Answer list(Call call) {
        ProcessUsage usage = files.call(ProcessUsage::now);
        return Answer.of(new SessionListResult(sessions.of(call.connection().subject()).stream()
                .map(session -> row(session, session == call.session(), usage))
                .toList()));
    }

    private static SessionInfo row(Session session, boolean own, ProcessUsage usage) {
        return new SessionInfo(
                session.id(),
                session.facts().name(),
                session.facts().clientName(),
                own,
                session.attachment().isPresent(),
                session.facts().since().toEpochMilli(),
                session.facts().startedAt().toEpochMilli(),
                session.processes().stream().map(process -> row(process, usage)).toList());
    }

    private static ProcessInfo row(ManagedProcess process, ProcessUsage usage) {
        ProcessInfo info = process.describe();
        OptionalLong running = info.running() && info.pid().isPresent()
                ? OptionalLong.of(usage.ofTree(info.pid().getAsLong()).cpuMs())
                : process.usedCpuMs();
        return info.withCpuMs(running);
    }

    private Work observe(Call call, ObserveParams params) {
        ManagedProcess process = find(call, Optional.of(params.sessionId()), params.processId());
        return () -> {
            requireStarted(process);
            LogView view = process.observed();
            long _ = view.await(
                    params.afterSeq(), TimeUnit.MILLISECONDS.toNanos(params.waitMs()), call.connection()::closed);
            LogView.Look look = view.look(
                    params.afterSeq(),
                    params.lastBytes(),
                    params.maxBytes().orElse(LogView.MAX_BYTES),
                    call.memory(),
                    call.connection()::closed);
            return Answer.of(new ObserveResult(look.offset(), look.endOffset(), look.output()));
        };
    }

    private Work await(Call call, WaitParams params) {
        ManagedProcess process = find(call, params.sessionId(), params.processId());
        ProcessWait wait = new ProcessWait(process, params, files);
        return () -> {
            requireStarted(process);
            return Answer.of(wait.run(call.memory(), call.connection()::closed));
        };
    }

    private static void requireStarted(ManagedProcess process) throws InterruptedException {
        if (!process.awaitStarted()) {
            throw unknown(process.processId());
        }
    }

    /** @param sessionId empty for the session of the connection */
    private ManagedProcess find(Call call, Optional<String> sessionId, String processId) {
        Session session = sessionId.isEmpty()
                ? call.session()
                : sessions.find(sessionId.get(), call.connection().subject())
                        .orElseThrow(() -> SessionRegistry.unknown(sessionId.get()));
        ManagedProcess process = session.find(processId).orElseThrow(() -> unknown(processId));
        if (session != call.session() && access.on()) {
            log(call, session, processId);
        }
        return process;
    }

    /** Writes one line for each process that a connection looks at, not one for each look. */
    private void log(Call call, Session session, String processId) {
        ObservedProcesses seen = call.connection().belonging(ObservedProcesses.class, ObservedProcesses::new);
        if (seen.first(session.id(), processId)) {
            AccessEvent event = AccessEvent.of(AccessKind.SESSION_OBSERVED)
                    .put(AccessField.CONNECTION, call.connection().number())
                    .session(session.id())
                    .put(AccessField.PROCESS, processId);
            call.connection().subject().ifPresent(subject -> event.put(AccessField.USER, subject.name()));
            access.write(event);
        }
    }

    private static RpcException unknown(String processId) {
        return RpcException.invalidRequest("unknown process id " + processId);
    }
}
