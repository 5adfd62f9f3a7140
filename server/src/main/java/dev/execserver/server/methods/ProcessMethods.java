package dev.execserver.server.methods;

import dev.execserver.protocol.process.CloseStdinParams;
import dev.execserver.protocol.process.CloseStdinResult;
import dev.execserver.protocol.process.ListResult;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.ResizeParams;
import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartResult;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.protocol.process.TerminateResult;
import dev.execserver.protocol.process.WriteParams;
import dev.execserver.protocol.process.WriteResult;
import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.plan.Backend;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.files.SandboxedFiles;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.Signals;
import dev.execserver.server.process.start.ProcessStarter;
import dev.execserver.server.process.start.StartedSandbox;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.Connection;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.sandbox.NamedProfiles;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The {@code process/*} methods.
 *
 * <p>Steps that must keep the order of arrival run in the handlers, on the reader thread: a start reserves its id, so
 * that every later request finds the process, and input is queued. A request for a process that is still starting waits
 * for the start, except requests that end it.
 */
public final class ProcessMethods {

    /** Descriptors of a start: three pipes with two ends each, the pidfd, the control group. */
    private static final int FOR_START = 8;

    /**
     * Descriptors of a sandboxed start: also the pipes and memory files that build the sandbox, and those that keep it.
     */
    private static final int FOR_SANDBOXED_START = 24;

    /** Descriptors of a network proxy: its listening sockets. */
    private static final int FOR_NETWORK_PROXY = 2;

    private final ProcessStarter starter;
    private final SandboxedFiles files;

    /** @param files receives the profiles of started processes, which the client may use for files next */
    public ProcessMethods(ProcessStarter starter, SandboxedFiles files) {
        this.starter = starter;
        this.files = files;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(
                                ProcessMethodNames.START,
                                MethodFamily.PROCESS,
                                FloorRule.START,
                                StartParams::read,
                                this::start)
                        .opening(ProcessMethods::descriptors)
                        .audited(AccessKind.PROCESS_STARTED, ProcessLines::start),
                Method.ordinary(
                        ProcessMethodNames.READ,
                        MethodFamily.PROCESS,
                        FloorRule.OWN,
                        ReadParams::read,
                        ProcessMethods::read),
                Method.ordinary(
                        ProcessMethodNames.WRITE,
                        MethodFamily.PROCESS,
                        FloorRule.OWN,
                        WriteParams::read,
                        ProcessMethods::write),
                Method.control(
                                ProcessMethodNames.SIGNAL,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                SignalParams::read,
                                ProcessMethods::signal)
                        .audited(AccessKind.PROCESS_SIGNALLED, ProcessLines::signal),
                Method.control(
                                ProcessMethodNames.TERMINATE,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                TerminateParams::read,
                                ProcessMethods::terminate)
                        .audited(AccessKind.PROCESS_SIGNALLED, ProcessLines::terminate),
                Method.ordinary(
                                ProcessMethodNames.CLOSE_STDIN,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                CloseStdinParams::read,
                                ProcessMethods::closeStdin)
                        .asAdditive(),
                Method.control(
                                ProcessMethodNames.RESIZE,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                ResizeParams::read,
                                ProcessMethods::resize)
                        .asAdditive(),
                Method.control(
                                ProcessMethodNames.LIST,
                                MethodFamily.PROCESS,
                                FloorRule.TELL,
                                (params, dialect) -> params,
                                (call, params) -> () -> list(call))
                        .asAdditive());
    }

    /** Returns the number of descriptors that a start opens. Most of them are closed again when the program runs. */
    private static int descriptors(StartParams params) {
        return (params.sandbox().isPresent() ? FOR_SANDBOXED_START : FOR_START)
                + (params.networkProxy().isPresent()
                                || params.sandbox()
                                        .filter(NamedProfiles::mayBeNamed)
                                        .isPresent()
                        ? FOR_NETWORK_PROXY
                        : 0);
    }

    private Work start(Call call, StartParams params) {
        StartParamsChecks.check(params);
        ManagedProcess process = call.session().reserve(params);
        return () -> {
            Optional<StartedSandbox> requested;
            try {
                requested = starter.start(process);
            } catch (RuntimeException e) {
                call.session().forget(process);
                process.failed();
                throw e;
            }
            Optional<Backend> backend = requested.map(StartedSandbox::backend);
            call.event().ifPresent(event -> ProcessLines.started(event, process, backend));
            Answer answer = Answer.of(result(params, backend));
            return answer.then(() -> {
                call.session().startPushing(process);
                requested.ifPresent(asked -> files.shown(asked.context(), call.session()));
            });
        };
    }

    /** @param backend the sandbox backend that confines the process, asked for or not; empty if no client has asked */
    private static StartResult result(StartParams params, Optional<Backend> backend) {
        boolean confined = backend.filter(found -> found != Backend.NONE).isPresent();
        return new StartResult(
                params.processId(),
                confined ? SandboxType.LINUX_SECCOMP : SandboxType.NONE,
                backend.map(Backend::text));
    }

    private static Work read(Call call, ReadParams params) {
        call.session().readAsked();
        ManagedProcess process = require(call, params.processId());
        return () -> {
            if (!process.awaitStarted()) {
                throw unknown(params.processId());
            }
            ReadResult result = process.read(params, call.memory(), call::gone);
            if (call.gone()) {
                throw RpcException.invalidRequest(Connection.RESUMED_ELSEWHERE);
            }
            return Answer.of(result)
                    .then(() -> process.client().caughtUp(call.connection().outbound(), result));
        };
    }

    private static Work write(Call call, WriteParams params) {
        return input(
                call, params.processId(), process -> process.write(params.chunk(), params.writeId()), WriteResult::new);
    }

    private static Work closeStdin(Call call, CloseStdinParams params) {
        return input(call, params.processId(), ManagedProcess::closeStdin, CloseStdinResult::new);
    }

    /** Queues input at once. Answers when it is certain that the process has started. */
    private static Work input(
            Call call,
            String processId,
            Function<ManagedProcess, WriteStatus> queue,
            Function<WriteStatus, JsonWritable> result) {
        Optional<ManagedProcess> process = call.session().find(processId);
        WriteStatus status = process.map(queue).orElse(WriteStatus.UNKNOWN_PROCESS);
        Function<Boolean, Answer> answer =
                known -> Answer.of(result.apply(known ? status : WriteStatus.UNKNOWN_PROCESS));
        return new Work() {
            @Override
            public Answer run() throws InterruptedException {
                return answer.apply(process.isPresent() && process.get().awaitStarted());
            }

            @Override
            public boolean mayBeAtHand() {
                return true;
            }

            @Override
            public Optional<Answer> runAtOnce() {
                return process.map(ManagedProcess::started)
                        .orElse(Optional.of(false))
                        .map(answer);
            }
        };
    }

    private static Work signal(Call call, SignalParams params) {
        int number = Signals.number(params.signal());
        Optional<ManagedProcess> process = call.session().find(params.processId());
        return () -> {
            process.ifPresent(target -> target.signal(number, params.foreground()));
            return Answer.empty();
        };
    }

    private static Work terminate(Call call, TerminateParams params) {
        Optional<ManagedProcess> process = call.session().find(params.processId());
        return () -> Answer.of(new TerminateResult(process.isPresent()
                && process.get().end().terminate(params.graceMs().orElse(0))));
    }

    private static Work resize(Call call, ResizeParams params) {
        ManagedProcess process = require(call, params.processId());
        return () -> {
            if (!process.awaitStarted()) {
                throw unknown(params.processId());
            }
            process.resize(params.size());
            return Answer.empty();
        };
    }

    private static Answer list(Call call) {
        return Answer.of(new ListResult(call.session().processes().stream()
                .map(ManagedProcess::describe)
                .toList()));
    }

    private static ManagedProcess require(Call call, String processId) {
        return call.session().find(processId).orElseThrow(() -> unknown(processId));
    }

    private static RpcException unknown(String processId) {
        return RpcException.invalidRequest("unknown process id " + processId);
    }
}
