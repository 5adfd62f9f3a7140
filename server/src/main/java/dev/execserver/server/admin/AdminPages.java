package dev.execserver.server.admin;

import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.environment.ServerVersion;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.session.SessionView;
import dev.execserver.server.transport.management.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Pages below {@code /admin/}: GET shows, POST acts. Each shows JSON, or a table with {@code format=text}. Sessions are named
 * by the begin of their id that logs show; the whole id, which gives access to a session, is never shown. Any thread.
 */
public final class AdminPages implements Page {
    private static final String PREFIX = "/admin/";
    private static final String ALLOW_APPROVER = "allow-approver";
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int LONGEST_DRAIN_SECONDS = 7 * 24 * 3600;
    private static final List<String> ACTIONS = List.of("kill", "end-session", ALLOW_APPROVER, "drain", "reload");

    private final SessionRegistry sessions;
    private final Drain drain;
    private final Runnable reload;
    private final AccessLog access;
    private final Instant started = Instant.now();

    public AdminPages(SessionRegistry sessions, Drain drain, Runnable reload, AccessLog access) {
        this.sessions = sessions;
        this.drain = drain;
        this.reload = reload;
        this.access = access;
    }

    @Override
    public Optional<Reply> answer(Request request) {
        if (!request.path().startsWith(PREFIX)) {
            return Optional.empty();
        }
        String name = request.path().substring(PREFIX.length());
        if (ACTIONS.contains(name)) {
            return Optional.of(request.post() ? act(name, request) : Reply.fault(METHOD_NOT_ALLOWED, "use POST"));
        }
        boolean text = "text".equals(request.query().get("format"));
        return switch (name) {
            case "status" -> Optional.of(status(text));
            case "sessions" -> {
                List<SessionView> all = sessions.views();
                yield Optional.of(text ? Reply.text(AdminText.sessions(all)) : Reply.json(AdminJson.sessions(all)));
            }
            case "processes" -> {
                List<RunningProcess> all = RunningProcess.of(sessions.views());
                yield Optional.of(text ? Reply.text(AdminText.processes(all)) : Reply.json(AdminJson.processes(all)));
            }
            default -> Optional.empty();
        };
    }

    private Reply status(boolean text) {
        List<SessionView> all = sessions.views();
        String state = sessions.stopping() ? "stopping" : sessions.draining() ? "draining" : "serving";
        long running = all.stream().mapToLong(SessionView::running).sum();
        long attached = all.stream().filter(SessionView::attached).count();
        long age = Duration.between(started, Instant.now()).toSeconds();
        if (text) {
            return Reply.text("%s; version %s; pid %d; up %d s; %d sessions, %d of them attached; %d processes run%n"
                    .formatted(
                            state,
                            ServerVersion.text(),
                            ProcessHandle.current().pid(),
                            age,
                            all.size(),
                            attached,
                            running));
        }
        return Reply.json(AdminJson.text(g -> {
            g.writeStartObject();
            g.writeStringField("state", state);
            g.writeStringField("version", ServerVersion.text());
            g.writeNumberField("pid", ProcessHandle.current().pid());
            g.writeNumberField("uptimeSeconds", age);
            g.writeNumberField("sessions", all.size());
            g.writeNumberField("attachedSessions", attached);
            g.writeNumberField("runningProcesses", running);
            g.writeEndObject();
        }));
    }

    private Reply act(String name, Request request) {
        Optional<String> session = Optional.ofNullable(request.query().get("session"));
        Optional<String> process = Optional.ofNullable(request.query().get("process"));
        if (!name.equals(ALLOW_APPROVER)) {
            log(name, session, process, Optional.empty());
        }
        return switch (name) {
            case "kill" -> kill(session.orElse(""), process.orElse(""));
            case "end-session" ->
                sessions.end(session.orElse(""))
                        ? done("the session is ended")
                        : Reply.fault(
                                NOT_FOUND, "no session, or more than one, begins with `" + session.orElse("") + "`");
            case ALLOW_APPROVER -> allowApprover(session.orElse(""));
            case "drain" -> drain(request.query().getOrDefault("limit", ""));
            default -> {
                reload.run();
                yield done("credentials were read again; the log says which have changed");
            }
        };
    }

    private void log(String action, Optional<String> session, Optional<String> process, Optional<String> approver) {
        if (access.on()) {
            AccessEvent event = AccessEvent.of(AccessKind.ADMIN_REQUESTED)
                    .put(AccessField.METHOD, action)
                    .put(AccessField.PROCESS, process)
                    .put(AccessField.APPROVER, approver);
            session.ifPresent(event::session);
            access.write(event);
        }
    }

    private Reply kill(String session, String processId) {
        Optional<ManagedProcess> found = sessions.process(session, processId);
        if (found.isEmpty()) {
            return Reply.fault(NOT_FOUND, "there is no process `" + processId + "` in one session `" + session + "`");
        }
        return found.get().end().terminate(0) ? done("the process is killed") : done("the process has ended already");
    }

    private Reply allowApprover(String session) {
        Optional<AllowApproverResult> right = Optional.empty();
        try {
            right = sessions.allowApprover(session);
            return right.map(made -> done(made.token()))
                    .orElseGet(() ->
                            Reply.fault(NOT_FOUND, "no session, or more than one, begins with `" + session + "`"));
        } catch (RpcException e) {
            return Reply.fault(BAD_REQUEST, e.getMessage());
        } finally {
            log(
                    ALLOW_APPROVER,
                    Optional.of(session).filter(id -> !id.isEmpty()),
                    Optional.empty(),
                    right.map(AllowApproverResult::approverId));
        }
    }

    private Reply drain(String limit) {
        if (!limit.matches("[0-9]{1,6}") || Integer.parseInt(limit) > LONGEST_DRAIN_SECONDS) {
            return Reply.fault(BAD_REQUEST, "limit is a number of seconds up to " + LONGEST_DRAIN_SECONDS);
        }
        drain.begin(Duration.ofSeconds(Integer.parseInt(limit)));
        return done("no new sessions; the server stops when no process runs, or after " + limit + " s");
    }

    private static Reply done(String what) {
        return Reply.text(what + "\n");
    }
}
