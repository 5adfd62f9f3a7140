package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.EnvPolicy;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.Allowed;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartParamsBuilder;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.plan.Backend;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.mcp.OpenCall;
import dev.execserver.server.methods.ProcessLines;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.start.StartedSandbox;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.sandbox.WantedSandbox;
import dev.execserver.server.session.Session;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import dev.execserver.server.transport.auth.Subject;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Starts commands of one client as {@code process/start} does: same session, same sandbox, same rules. Threads of calls enter;
 * {@code lock} guards the list of commands that have ended.
 */
final class Commands implements AutoCloseable {
    /** Commands that have ended and whose children are ended with the client. */
    private static final int MAX_DROPPED = 1_000;

    /** Variable by which programs are told that they have no network. */
    private static final String NETWORK_DISABLED = "CODEX_SANDBOX_NETWORK_DISABLED";

    /** Time after the end of the shell for programs that hold its output open. */
    private static final long CLOSE_GRACE_MS = 2_000;

    private final ShellServices services;
    private final Session session;
    private final ClientSession client;
    private final SandboxState sandbox;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<ManagedProcess> dropped = new ArrayDeque<>();

    Commands(ShellServices services, Session session, ClientSession client, SandboxState sandbox) {
        this.services = services;
        this.session = session;
        this.client = client;
        this.sandbox = sandbox;
    }

    /**
     * Starts a command for a call, whose end by the client ends it.
     *
     * @param roots workspace folders of the client
     * @throws RpcException if it cannot be started
     */
    RunningCommand start(CommandSpec spec, List<PathUri> roots, OpenCall call) {
        Optional<Span> span = services.access().tracing().begin("tools/call shell", Optional.empty());
        try {
            return Traced.call(span, () -> startTraced(spec, roots, call));
        } catch (RpcException e) {
            span.ifPresent(open -> open.failed(String.valueOf(e.message())));
            throw e;
        } finally {
            span.ifPresent(Span::end); // the time of the command is a span of its own
        }
    }

    private RunningCommand startTraced(CommandSpec spec, List<PathUri> roots, OpenCall call) {
        if (spec.command().indexOf('\0') >= 0) {
            throw RpcException.invalidParams("command must not contain a NUL character");
        }
        StartParams params = params(spec, roots);
        Optional<AccessEvent> event = event(params);
        client.began(spec.id(), call.peer());
        try {
            ManagedProcess process = session.reserve(params);
            call.whenCancelled(() -> {
                boolean _ = process.end().terminate(0);
            });
            try {
                Optional<Backend> backend = Caller.call(
                                Subject.rights(client.subject()),
                                () -> services.starter().start(process, services.style()))
                        .map(StartedSandbox::backend);
                event.ifPresent(line -> ProcessLines.started(line, process, backend));
            } catch (RuntimeException e) {
                session.forget(process);
                process.failed();
                throw e instanceof RpcException refused ? services.form().notStarted(refused) : e;
            }
            event.ifPresent(line -> services.access().write(line.duration()));
            session.startPushing(process); // its programs may ask now
            return new RunningCommand(spec.id(), process, session, services.memory());
        } catch (RuntimeException e) {
            event.ifPresent(line -> services.access().write(failed(line, e)));
            client.ended(spec.id());
            throw e;
        }
    }

    /** Returns the time limit of a command for which the client names none. */
    long usualTimeoutMs(long ofTool) {
        return Caller.call(
                Subject.rights(client.subject()), () -> services.starter().usualTimeoutMs(ofTool));
    }

    private Optional<AccessEvent> event(StartParams params) {
        if (!services.access().on()) {
            return Optional.empty();
        }
        AccessEvent event = AccessEvent.of(AccessKind.PROCESS_STARTED)
                .session(session.id())
                .trace(Traced.current().map(Span::context));
        client.subject().ifPresent(subject -> event.put(AccessField.USER, subject.name()));
        ProcessLines.start(params, event, services.access().arguments());
        return Optional.of(event);
    }

    private static AccessEvent failed(AccessEvent event, RuntimeException e) {
        if (e instanceof RpcException refused) {
            event.put(AccessField.ERROR_CODE, refused.code());
        }
        return event.put(AccessField.ERROR, String.valueOf(e.getMessage()))
                .duration()
                .warning();
    }

    /** Ends a command if it runs, and frees what is kept of it. Children that it has left behind live on until {@link #close}. */
    void drop(RunningCommand command) {
        session.drop(command.process());
        client.ended(command.id());
        lock.lock();
        try {
            if (dropped.size() == MAX_DROPPED) {
                dropped.removeFirst();
            }
            dropped.add(command.process());
        } finally {
            lock.unlock();
        }
    }

    /** Ends what the last commands have left behind. */
    @Override
    public void close() {
        List<ManagedProcess> last;
        lock.lock();
        try {
            last = List.copyOf(dropped);
        } finally {
            lock.unlock();
        }
        Threads.virtualAll("mcp-leftovers", last, process -> {
            boolean _ = process.end().terminate(0);
        });
    }

    private StartParams params(CommandSpec spec, List<PathUri> roots) {
        PathUri workdir = workdir(spec.workdir());
        WantedSandbox chosen = services.files().call(() -> sandbox.choose(workdir, roots));
        SandboxContext context = chosen.context();
        Map<String, String> set = new HashMap<>();
        if (SandboxState.restrictsNetwork(context.permissions())) {
            set.put(NETWORK_DISABLED, "1");
        }
        StartParams params = new StartParamsBuilder(spec.id(), workdir, argv(spec))
                .envPolicy(new EnvPolicy(EnvPolicy.Inherit.ALL, true, List.of(NETWORK_DISABLED), set, List.of()))
                .sandbox(encoded(context))
                .tty(spec.tty())
                .pipeStdin(spec.input())
                .options(new StartOptions(
                        Optional.empty(),
                        spec.timeoutMs(),
                        OptionalLong.empty(),
                        OptionalLong.of(CLOSE_GRACE_MS),
                        false,
                        Optional.empty(),
                        policy()))
                .build();
        return chosen.proxy().map(params::withProxy).orElse(params);
    }

    private PathUri workdir(String text) {
        if (!Path.of(text).isAbsolute()) {
            throw services.form().relativeWorkdir(text);
        }
        return PathUri.ofNative(text);
    }

    private List<String> argv(CommandSpec spec) {
        return List.of(services.shell().toString(), spec.login() ? "-lc" : "-c", spec.command());
    }

    private Optional<ExecPolicyParams> policy() {
        List<RulesText> rules = services.files().call(services.rules()::current);
        if (rules.isEmpty() && services.style().wrapper().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ExecPolicyParams(
                rules,
                List.of(),
                Allowed.ESCALATE,
                ExecPolicyParams.Fallback.ALLOW,
                client.canBeAsked(), // about dangerous command lines that no rule matches
                OptionalLong.of(ExecPolicyParams.MAX_PROMPT_TIMEOUT_MS),
                ExecPolicyParams.Report.NONE));
    }

    private static JsonSlice encoded(SandboxContext context) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, context);
        return JsonSlice.of(out.array(), out.offset(), out.length());
    }
}
