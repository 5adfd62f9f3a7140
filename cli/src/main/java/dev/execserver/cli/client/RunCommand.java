package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.rules.ExecTrace;
import dev.execserver.client.error.RequestFailedException;
import java.util.Optional;

/** Runs a program on a server as if it ran here. */
final class RunCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(
                    ClientOption.TTY,
                    ClientOption.NO_TTY,
                    ClientOption.INTERACTIVE,
                    ClientOption.NO_INPUT,
                    ClientOption.SHELL,
                    ClientOption.CWD,
                    ClientOption.ENV,
                    ClientOption.USER,
                    ClientOption.PROFILE,
                    ClientOption.EXEC_RULES,
                    ClientOption.TRACE_EXEC,
                    ClientOption.TIMEOUT,
                    ClientOption.SESSION_TTL,
                    ClientOption.NAME,
                    ClientOption.DETACH,
                    ClientOption.WAIT_FOR_PORT,
                    ClientOption.ESCAPE,
                    ClientOption.VERBOSE),
            "[--] PROGRAM [ARGUMENT...]",
            "What to run; looked up in the PATH of the server.",
            true);

    private static final String NO_END_OF_INPUT =
            "the server cannot be told where the input ends, because it lacks process/closeStdin (an exec-server has it with"
                    + " --protocol open)";

    private RunCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalTerminal local, Console console)
            throws InterruptedException {
        if (arguments.operands().isEmpty()) {
            throw ConfigException.usage(
                    "no program is named; write exec-server run [OPTIONS] [--] PROGRAM [ARGUMENT...]");
        }
        if (arguments.has(ClientOption.USER)) {
            throw ConfigException.usage(
                    "--user cannot be chosen: every program runs as the user of the server. A server of that"
                            + " user, or `--shell` with su or sudo there, does it");
        }
        ServerTarget target = ServerTarget.of(arguments, console.environment());
        if (arguments.has(ClientOption.DETACH) || arguments.has(ClientOption.WAIT_FOR_PORT)) {
            return DetachedRun.run(arguments, target, connector, local, console);
        }
        RunRequest wanted = RunRequest.of(arguments, local, console.environment());
        Optional<Byte> prefix = EscapeKeys.prefix(arguments);
        boolean verbose = arguments.has(ClientOption.VERBOSE);
        ExecTrace trace = new ExecTrace();
        ExecPrompt prompt = new ExecPrompt(local, trace::add);
        try (RemoteHost host = connector.connect(target)) {
            host.approvals(prompt);
            RunRequest request = host.takesEndOfInput() || wanted.tty() ? wanted : withoutInput(wanted, local, console);
            RemoteTask task;
            try {
                task = host.start(request);
            } catch (RequestFailedException e) {
                ForegroundRun.end(host, verbose, console);
                console.error(e.serverMessage()
                        + (e.refusedByFloor() ? "; --profile gives one" : "")
                        + NotStarted.hint(e, request));
                show(trace, arguments, console);
                return NotStarted.status(e, request.cwd().isPresent());
            }
            if (verbose) {
                console.note("session %s process %s".formatted(host.sessionId().orElse("none"), task.id()));
            }
            try {
                return new ForegroundRun(host, task, request, target, local, console, verbose)
                        .relay(prompt, prefix, connector);
            } finally {
                show(trace, arguments, console);
            }
        }
    }

    /**
     * Removes the input from the request, because a program that waits for the end of its input would wait for ever.
     */
    private static RunRequest withoutInput(RunRequest wanted, LocalTerminal local, Console console) {
        if (local.inputIsTerminal()) {
            console.note("the program gets no input: " + NO_END_OF_INPUT);
        } else if (!local.inputIsNull()) {
            throw ConfigException.failure(
                    NO_END_OF_INPUT + "; run it with </dev/null, so that the program gets no input");
        }
        return wanted.withoutInput();
    }

    private static void show(ExecTrace trace, Arguments arguments, Console console) {
        if (arguments.has(ClientOption.TRACE_EXEC)) {
            trace.lines().forEach(console::note);
        }
    }
}
