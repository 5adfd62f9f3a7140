package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Waits for the end of a process of any session, or for another condition. Takes no session. */
final class WaitCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(
                    ClientOption.TEXT, ClientOption.REGEX, ClientOption.IDLE, ClientOption.PORT, ClientOption.LIMIT),
            "PROCESS",
            "The process, by its session.",
            false);

    /** Longest time of one question. */
    static final Duration QUESTION = Duration.ofSeconds(30);

    private WaitCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, Console console) throws InterruptedException {
        String wanted = arguments.operand(USAGE);
        Optional<WaitCondition> condition = condition(arguments);
        long end = System.nanoTime()
                + arguments
                        .time(ClientOption.LIMIT)
                        .orElse(Duration.ofDays(365))
                        .toNanos();
        return Question.ask(connector, ServerTarget.of(arguments, console.environment()), host -> {
            FoundProcess found = FoundProcess.of(host.sessions(), wanted);
            WaitCondition until = condition.orElse(new WaitCondition.Exit());
            WaitResult answer;
            boolean over;
            do {
                long left = Math.max(0, (end - System.nanoTime()) / 1_000_000);
                answer = host.await(new WaitParams(
                        found.process().processId(),
                        Optional.of(found.session().sessionId()),
                        until,
                        0,
                        Math.min(left, QUESTION.toMillis())));
                over = answer.met() || tooLate(until, answer) || left == 0;
            } while (!over);
            return status(answer, until, condition.isPresent(), console);
        });
    }

    private static int status(WaitResult answer, WaitCondition until, boolean conditional, Console console) {
        if (answer.met() && !conditional) {
            return answer.exitCode().orElse(ClientStatus.FAILURE) & 0xff;
        }
        if (!answer.met()) {
            console.note(tooLate(until, answer) ? "the program has ended before" : "the time is over");
        }
        return answer.met() ? ClientStatus.OK : ClientStatus.FAILURE;
    }

    /** Returns true if the condition cannot come true any more. Output may go on when the program has exited. */
    private static boolean tooLate(WaitCondition until, WaitResult answer) {
        return switch (until) {
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _, WaitCondition.Closed _ -> answer.closed();
            case WaitCondition.Exit _, WaitCondition.Idle _, WaitCondition.Port _ -> answer.exited() || answer.closed();
        };
    }

    private static Optional<WaitCondition> condition(Arguments arguments) {
        List<WaitCondition> given = new ArrayList<>();
        arguments.value(ClientOption.TEXT).map(WaitCondition.OutputText::new).ifPresent(given::add);
        arguments.value(ClientOption.REGEX).map(WaitCondition.OutputRegex::new).ifPresent(given::add);
        arguments
                .time(ClientOption.IDLE)
                .map(time -> new WaitCondition.Idle(time.toMillis()))
                .ifPresent(given::add);
        arguments
                .value(ClientOption.PORT)
                .map(text -> DetachedRun.port(ClientOption.PORT, text))
                .ifPresent(given::add);
        if (given.size() > 1) {
            throw ConfigException.usage("--text, --regex, --idle and --port exclude each other");
        }
        return given.stream().findFirst();
    }
}
