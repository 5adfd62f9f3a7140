package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import java.util.List;

/**
 * Continues a process of a session, with all output that the server has kept. The session is taken over: a client that
 * holds it ends. Without a terminal, SIGINT goes to the process.
 *
 * <p>If this program ends in any other way (a signal, the detach key, an output that nobody reads), the process goes
 * on. The end of the input is not forwarded, because another client may attach and type more.
 */
final class AttachCommand {
    static final Usage USAGE = new Usage(
            List.of(
                    ClientOption.URL,
                    ClientOption.TOKEN_FILE,
                    ClientOption.CA_FILE,
                    ClientOption.SESSION,
                    ClientOption.VERBOSE),
            "PROCESS_ID",
            "The process, as `ps` lists it; `run` when the command run has started it.",
            false);

    private AttachCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalTerminal local, Console console)
            throws InterruptedException {
        String _ = arguments.required(ClientOption.SESSION);
        String processId = arguments.operand(USAGE);
        ServerTarget target = ServerTarget.of(arguments, console.environment()).withTakeover();
        try (RemoteHost host = connector.connect(target)) {
            boolean tty = KillCommand.find(host, processId).tty() && local.inputIsTerminal();
            RemoteTask task = host.attach(processId);
            OutputRelay relay = OutputRelay.visiting(task, local, console);
            if (arguments.has(ClientOption.VERBOSE)) {
                console.note("attached to process %s of session %s; %s"
                        .formatted(
                                processId,
                                host.sessionId().orElse("none"),
                                tty ? "Ctrl-] leaves it running" : "SIGINT goes to it, SIGTERM leaves it running"));
            }
            try (Guard _ = tty ? TerminalGuard.arm(local) : SignalRelay.armForInterrupt(task, relay, local)) {
                if (tty) {
                    local.enterRawMode();
                    TerminalWatch.start(local, task);
                }
                StdinPump.forwardUntilDetach(local, task, new DetachKey(tty, relay::leave));
                return relay.run();
            } finally {
                relay.sayLastWords();
            }
        }
    }
}
