package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.server.cli.Console;
import dev.execserver.server.config.ConfigException;
import java.util.List;

/** Runs a program on a server as if it ran here. */
final class RunCommand {
    static final Usage USAGE = new Usage(
            List.of(
                    ClientOption.URL,
                    ClientOption.TOKEN_FILE,
                    ClientOption.TTY,
                    ClientOption.NO_TTY,
                    ClientOption.CWD,
                    ClientOption.ENV,
                    ClientOption.TIMEOUT,
                    ClientOption.SESSION_TTL,
                    ClientOption.VERBOSE),
            "[--] PROGRAM [ARGUMENT...]",
            true);

    private RunCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalEnd local, Console console)
            throws InterruptedException {
        if (arguments.operands().isEmpty()) {
            throw ConfigException.usage(
                    "no program is named; write exec-server run [OPTIONS] -- PROGRAM [ARGUMENT...]");
        }
        Target target = Target.of(arguments, console.environment());
        RunRequest request = RunRequest.of(arguments, local, console.environment());
        try (RemoteHost host = connector.connect(target)) {
            RemoteTask task = host.start(request);
            if (arguments.has(ClientOption.VERBOSE)) {
                console.err()
                        .println("session %s process %s"
                                .formatted(host.sessionId().orElse("none"), task.id()));
            }
            int status = relay(task, request, local, console);
            end(host, arguments, console);
            return status;
        }
    }

    /** Nobody will come back for the session. If that cannot be said, its time to live says it later. */
    private static void end(RemoteHost host, Arguments arguments, Console console) throws InterruptedException {
        try {
            host.end();
        } catch (ExecServerException e) {
            if (arguments.has(ClientOption.VERBOSE)) {
                console.err().println("the session was not ended: " + e.getMessage());
            }
        }
    }

    private static int relay(RemoteTask task, RunRequest request, LocalEnd local, Console console)
            throws InterruptedException {
        Relay relay = new Relay(task, local, console);
        // A terminal that goes away hangs up; without one it was most likely Ctrl-C.
        try (SignalRelay _ = SignalRelay.arm(task, relay, local, request.tty() ? "HUP" : "interrupt")) {
            if (request.tty()) {
                local.enterRawMode();
                WindowWatch.start(local, task);
            }
            StdinPump.forwardAll(local.input(), task);
            return relay.run();
        } finally {
            local.restoreTerminal();
            relay.sayLastWords();
        }
    }
}
