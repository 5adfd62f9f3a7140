package dev.execserver.server.app;

import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.schema.MembersCheck;
import dev.execserver.server.session.Session;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.exec.CommandAccess;
import dev.execserver.server.transport.exec.CommandRefusal;
import dev.execserver.server.transport.exec.ExecEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Starts commands for HTTP requests. Each gets a session of its own, which ends with it, so that a command without a
 * connection of the protocol has the same bounds, floor and audit as any other. Any thread. No state.
 */
public final class HttpCommands implements CommandAccess {

    /** Name of these clients in the server's log. */
    private static final String CLIENT = "http";

    /** Names the process in its session, which has no other one. */
    private static final String PROCESS = "command-1";

    private final CommandHost host;
    private final CommandRun run;
    private final SessionRegistry sessions;
    private final AccessLog log;
    private final MembersCheck members;

    /** @param members check of the params; its warnings have no place in the answer, its refusals do */
    public HttpCommands(CommandHost host, SessionRegistry sessions, AccessLog log, MembersCheck members) {
        this.members = members;
        this.host = host;
        this.run = new CommandRun(host);
        this.sessions = sessions;
        this.log = log;
    }

    /** Returns the log of commands. */
    public AccessLog log() {
        return log;
    }

    /** Returns the directory of commands that name none. */
    public PathUri directory() {
        return host.directories().server();
    }

    /** Returns the sandbox of commands that name none. Parks. */
    public Optional<JsonSlice> standardSandbox() {
        return host.files().call(() -> new CommandStart(host).standardSandbox());
    }

    @Override
    public AnswerMemory memory() {
        return new AnswerMemory(host.answers());
    }

    @Override
    public Running start(Wanted wanted) {
        Rights rights = Subject.rights(wanted.subject());
        try {
            rights.require(AppMethodNames.EXEC);
        } catch (RpcException e) {
            throw CommandRefusal.of(e);
        }
        Optional<Span> span = log.tracing().begin(AppMethodNames.EXEC, wanted.trace());
        try {
            return Caller.call(rights, () -> Traced.call(span, () -> startAsCaller(wanted)));
        } catch (CommandRefusal e) {
            span.ifPresent(open -> open.failed(e.error().message()));
            throw e;
        } finally {
            span.ifPresent(Span::end); // the time of the command is a span of its own
        }
    }

    private Running startAsCaller(Wanted wanted) {
        CommandSpec spec;
        CommandExecParams params;
        try {
            List<String> _ = members.check(wanted.params());
            params = CommandExecParams.read(wanted.params(), host.dialect());
            spec = spec(params, wanted);
        } catch (RpcException e) {
            throw CommandRefusal.of(e);
        }
        HttpClientSession client = new HttpClientSession(wanted.subject());
        try (DescriptorBudget.Promise _ = host.descriptors().admit(ExecEndpoint.PATH, AppRows.FOR_COMMAND)) {
            Session session = sessions.create(CLIENT, client, Optional.of(Duration.ZERO));
            return start(session, client, spec, event(session, params, wanted));
        } catch (RpcException e) {
            throw CommandRefusal.of(e);
        }
    }

    private Running start(Session session, HttpClientSession client, CommandSpec spec, Optional<AccessEvent> event) {
        boolean started = false;
        try {
            Command command = run.reserve(session, PROCESS, spec);
            if (!run.start(command, session, HttpCommands::refused)) {
                throw CommandRefusal.of(RpcException.internal("the command was ended before it ran"));
            }
            started = true;
            event.ifPresent(line -> log.write(line.duration()));
            return new HttpCommand(run, command, session, client, host.dialect().open(), log);
        } catch (CommandRefusal e) {
            event.ifPresent(line -> log.write(refused(line, e.error())));
            throw e;
        } catch (RpcException e) {
            event.ifPresent(line -> log.write(refused(line, e)));
            throw e;
        } finally {
            if (!started) {
                client.lost(session);
                client.answered();
            }
        }
    }

    /** Checks the command, whose streams are those of the request whatever its params say. */
    private CommandSpec spec(CommandExecParams asked, Wanted wanted) {
        if (asked.streamStdoutStderr() && !wanted.streams()) {
            throw RpcException.invalidParams(
                    "streamStdoutStderr needs the header Accept: text/event-stream" + " or application/x-ndjson");
        }
        CommandExecParams params = asked.streaming(PROCESS, wanted.input(), wanted.streams());
        CommandChecks.combinations(params);
        CommandSpec spec = CommandChecks.spec(params, host.directories()).streamingOutput(wanted.streams());
        CommandChecks.later(params).ifPresent(error -> {
            throw error;
        });
        return spec;
    }

    private Optional<AccessEvent> event(Session session, CommandExecParams params, Wanted wanted) {
        if (!log.on()) {
            return Optional.empty();
        }
        AccessEvent event = AccessEvent.of(AccessKind.PROCESS_STARTED)
                .session(session.id())
                .put(AccessField.METHOD, AppMethodNames.EXEC)
                .put(AccessField.HTTP_METHOD, "POST")
                .trace(Traced.current().map(Span::context).or(wanted::trace));
        wanted.client().ifPresent(client -> client.addTo(event));
        wanted.subject().ifPresent(owner -> event.put(AccessField.USER, owner.name()));
        CommandLines.exec(params, event, log.arguments());
        event.put(AccessField.PROCESS, PROCESS);
        return Optional.of(event);
    }

    private static CommandRefusal refused(CommandSpec spec, RpcException e) {
        RpcException told = CommandErrors.ofStart(spec, e);
        return spec.argv().getFirst().isEmpty() ? CommandRefusal.notStarted(told) : CommandRefusal.of(e, told);
    }

    private static AccessEvent refused(AccessEvent line, RpcException error) {
        return line.put(AccessField.ERROR_CODE, error.code())
                .put(AccessField.ERROR, error.message())
                .duration()
                .warning();
    }
}
