package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.client.session.Backlog;
import dev.execserver.protocol.session.SessionInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Continues a process of a session, with all output that the server has kept. A session that another client holds is only looked at, from the
 * end of its output on, unless it is to be taken over. Without a terminal, SIGINT goes to the process.
 *
 * <p>If this program ends in any other way (a signal, the detach key, an output that nobody reads), the process goes
 * on. The end of the input is not forwarded, because another client may attach and type more.
 */
final class AttachCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(ClientOption.SESSION, ClientOption.TAKEOVER, ClientOption.ESCAPE, ClientOption.VERBOSE),
            "PROCESS",
            "The process, by its session; with --session its PROCESS_ID.",
            false);

    /** Output before the begin that one who looks sees. */
    private static final long FIRST_BYTES = 64 * 1024L;

    private AttachCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalTerminal local, Console console)
            throws InterruptedException {
        ServerTarget target = ServerTarget.of(arguments, console.environment());
        String wanted = arguments.operand(USAGE);
        boolean verbose = arguments.has(ClientOption.VERBOSE);
        Optional<Byte> prefix = EscapeKeys.prefix(arguments);
        if (target.session().isPresent() && target.takeover()) {
            return drive(target, wanted, prefix, verbose, connector, local, console);
        }
        AtomicReference<Drive> next = new AtomicReference<>();
        int status = Question.ask(connector, target.with(Optional.empty()), host -> {
            List<SessionInfo> sessions = host.sessions();
            if (target.session().filter(id -> unknown(id, sessions)).isPresent()) {
                next.set(new Drive(target, wanted)); // the server says what is wrong
                return ClientStatus.OK;
            }
            FoundProcess found = FoundProcess.of(
                    sessions, target.session().map(id -> id + "/" + wanted).orElse(wanted));
            if (found.session().attached() && !target.takeover()) {
                return look(host, found, local, console);
            }
            next.set(new Drive(
                    target.with(Optional.of(found.session().sessionId())),
                    found.process().processId()));
            return ClientStatus.OK;
        });
        Drive drive = next.get();
        return drive == null
                ? status
                : drive(drive.target(), drive.processId(), prefix, verbose, connector, local, console);
    }

    /** Session and process to go on with. */
    private record Drive(ServerTarget target, String processId) {}

    private static boolean unknown(String id, List<SessionInfo> sessions) {
        return sessions.stream().noneMatch(session -> session.sessionId().equals(id));
    }

    private static int look(RemoteHost host, FoundProcess found, LocalTerminal local, Console console)
            throws InterruptedException {
        boolean keys = local.inputIsTerminal() && local.outputIsTerminal();
        console.note("another client has this session: you only look%s; --takeover takes it"
                .formatted(keys ? ", Ctrl-] or Ctrl-C leaves" : ""));
        ObservedTask task = new ObservedTask(
                found.process().processId(),
                host.observe(found.session().sessionId(), found.process().processId(), Backlog.watching(FIRST_BYTES)));
        OutputRelay relay = OutputRelay.visiting(task, local, console);
        task.whenInterrupted(relay::leave);
        try (Guard _ = keys ? TerminalGuard.arm(local) : SignalRelay.armForInterrupt(task, relay, local)) {
            if (keys) {
                local.enterRawMode();
                StdinPump.forward(local, task);
            }
            return relay.run();
        } finally {
            relay.sayLastWords();
        }
    }

    private static int drive(
            ServerTarget target,
            String processId,
            Optional<Byte> prefix,
            boolean verbose,
            RemoteHost.Connector connector,
            LocalTerminal local,
            Console console)
            throws InterruptedException {
        try (RemoteHost host = connector.connect(target)) {
            boolean tty = KillCommand.find(host, processId).tty() && local.inputIsTerminal();
            RemoteTask task = host.attach(processId);
            OutputRelay relay = OutputRelay.visiting(task, local, console);
            if (verbose) {
                console.note("attached to process %s of session %s; %s"
                        .formatted(
                                processId,
                                host.sessionId().orElse("none"),
                                tty
                                        ? prefix.map(EscapeKeys::help).orElse("no keys leave it")
                                        : "SIGINT goes to it, SIGTERM leaves it running"));
            }
            try (Guard _ = tty ? TerminalGuard.arm(local) : SignalRelay.armForInterrupt(task, relay, local)) {
                if (tty) {
                    local.enterRawMode();
                    TerminalWatch.start(local, task);
                    TerminalKeys.start(host, task, relay, local, prefix, true, false, Optional.empty(), _ -> {});
                } else {
                    StdinPump.forward(local, task);
                }
                return relay.run();
            } finally {
                relay.sayLastWords();
            }
        }
    }
}
