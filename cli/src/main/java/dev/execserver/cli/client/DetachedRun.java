package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import java.util.Optional;

/**
 * Start of a program that goes on alone: prints the id of its session, by which {@code logs}, {@code wait} and {@code attach} reach it. The
 * session lives as long as the server allows.
 */
final class DetachedRun {
    private DetachedRun() {}

    static int run(
            Arguments arguments,
            ServerTarget target,
            RemoteHost.Connector connector,
            LocalTerminal local,
            Console console)
            throws InterruptedException {
        if (!arguments.has(ClientOption.DETACH)) {
            throw ConfigException.usage("--wait-for-port needs --detach");
        }
        if (target.endsWithCommand()) {
            throw ConfigException.usage("--detach needs a server that goes on; the one of %s ends with this command"
                    .formatted(target.url()));
        }
        if (arguments.has(ClientOption.TRACE_EXEC)) {
            throw ConfigException.usage("--trace-exec and --detach exclude each other");
        }
        Optional<WaitCondition.Port> port =
                arguments.value(ClientOption.WAIT_FOR_PORT).map(text -> port(ClientOption.WAIT_FOR_PORT, text));
        RunRequest request = RunRequest.alone(arguments, local, console.environment());
        try (RemoteHost host = connector.connect(target.withLongSession())) {
            RemoteTask task;
            try {
                task = host.start(request);
            } catch (RequestFailedException e) {
                Question.end(host);
                console.error(e.serverMessage() + NotStarted.hint(e, request));
                return NotStarted.status(e, request.cwd().isPresent());
            }
            console.out().println(host.sessionId().orElse(task.id()));
            console.out().flush();
            int status = port.isPresent() ? await(host, task, port.get(), console) : ClientStatus.OK;
            task.detach();
            return console.finish(status);
        }
    }

    private static int await(RemoteHost host, RemoteTask task, WaitCondition.Port port, Console console)
            throws InterruptedException {
        WaitResult answer =
                host.await(new WaitParams(task.id(), Optional.empty(), port, 0, WaitParams.DEFAULT_LIMIT_MS));
        if (answer.met()) {
            return ClientStatus.OK;
        }
        console.error(
                answer.exited()
                        ? "the program has ended with %d and has not listened on port %d"
                                .formatted(answer.exitCode().orElse(0), port.number())
                        : "nothing listens on port %d after %d s; the program goes on"
                                .formatted(port.number(), WaitParams.DEFAULT_LIMIT_MS / 1000));
        return ClientStatus.FAILURE;
    }

    /** @throws ConfigException if it is no number of a port */
    static WaitCondition.Port port(ClientOption option, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= WaitCondition.MAX_PORT) {
                return new WaitCondition.Port(number);
            }
        } catch (NumberFormatException e) {
            throw Arguments.invalid(option, text, "a number of a TCP port");
        }
        throw Arguments.invalid(option, text, "a number of a TCP port");
    }
}
