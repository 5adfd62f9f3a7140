package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.ProfileArgument;
import dev.execserver.cli.rules.RulesToSend;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Program to start for {@code run}.
 *
 * @param cwd may be relative to the directory in which the server was started; empty for that one
 * @param environment variables that override those of the server
 * @param input true if the program gets the input of this one, false if it gets none
 * @param size of the terminal, if it is known
 * @param profile of the sandbox in which it runs; empty for no sandbox
 * @param execPolicy rules for the programs that it executes
 */
record RunRequest(
        List<String> argv,
        Optional<String> cwd,
        Map<String, String> environment,
        boolean tty,
        boolean input,
        Optional<WindowSize> size,
        Optional<Duration> timeout,
        Optional<ProfileChoice> profile,
        Optional<ExecPolicyParams> execPolicy) {
    /** The session has only one program, so its key can be a short word that is easy to type. */
    private static final String PROCESS_ID = "run";

    RunRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    static RunRequest of(Arguments arguments, LocalTerminal local, Map<String, String> ownEnvironment) {
        boolean tty = tty(arguments, local);
        return of(arguments, tty, local, ownEnvironment);
    }

    /** Makes the request of a program that runs on alone: without input, and on a terminal only if one is asked for. */
    static RunRequest alone(Arguments arguments, LocalTerminal local, Map<String, String> ownEnvironment) {
        return of(arguments, arguments.has(ClientOption.TTY), local, ownEnvironment)
                .withoutInput();
    }

    private static RunRequest of(
            Arguments arguments, boolean tty, LocalTerminal local, Map<String, String> ownEnvironment) {
        Map<String, String> environment = new HashMap<>();
        if (tty && ownEnvironment.containsKey("TERM")) {
            environment.put("TERM", ownEnvironment.get("TERM"));
        }
        for (String assignment : arguments.values(ClientOption.ENV)) {
            int equals = assignment.indexOf('=');
            if (equals == 0 || assignment.isEmpty()) {
                throw Arguments.invalid(
                        ClientOption.ENV, assignment, "NAME=VALUE, or NAME for the value that it has here");
            }
            if (equals > 0) {
                environment.put(assignment.substring(0, equals), assignment.substring(equals + 1));
            } else if (ownEnvironment.containsKey(assignment)) {
                environment.put(assignment, ownEnvironment.get(assignment));
            }
        }
        Optional<String> cwd = arguments.value(ClientOption.CWD);
        return new RunRequest(
                words(arguments),
                cwd,
                environment,
                tty,
                !arguments.has(ClientOption.NO_INPUT),
                tty ? local.windowSize() : Optional.empty(),
                arguments.time(ClientOption.TIMEOUT),
                arguments
                        .value(ClientOption.PROFILE)
                        .map(given -> ProfileArgument.choice(ClientOption.PROFILE.longName(), given)),
                RulesToSend.of(arguments.values(ClientOption.EXEC_RULES), arguments.has(ClientOption.TRACE_EXEC)));
    }

    private static List<String> words(Arguments arguments) {
        return arguments.has(ClientOption.SHELL)
                ? List.of("sh", "-c", String.join(" ", arguments.operands()))
                : arguments.operands();
    }

    RunRequest withoutInput() {
        return new RunRequest(argv, cwd, environment, tty, false, size, timeout, profile, execPolicy);
    }

    String processId() {
        return PROCESS_ID;
    }

    private static boolean tty(Arguments arguments, LocalTerminal local) {
        if (arguments.has(ClientOption.TTY) && arguments.has(ClientOption.NO_TTY)) {
            throw ConfigException.usage("--tty and --no-tty exclude each other");
        }
        return arguments.has(ClientOption.TTY)
                || (!arguments.has(ClientOption.NO_TTY) && local.inputIsTerminal() && local.outputIsTerminal());
    }
}
