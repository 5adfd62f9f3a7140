package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.process.ProcessInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Kills a process of a session and everything that it has started, or sends a signal to its process group. */
final class KillCommand {
    static final Usage USAGE = new Usage(
            List.of(
                    ClientOption.URL,
                    ClientOption.TOKEN_FILE,
                    ClientOption.CA_FILE,
                    ClientOption.SESSION,
                    ClientOption.TAKEOVER,
                    ClientOption.SIGNAL,
                    ClientOption.GRACE),
            "PROCESS_ID",
            "The process, as `ps` lists it; `run` when the command run has started it.",
            false);

    private KillCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, Console console) throws InterruptedException {
        String _ = arguments.required(ClientOption.SESSION);
        String processId = arguments.operand(USAGE);
        Optional<String> signal = arguments.value(ClientOption.SIGNAL);
        Optional<Duration> grace = arguments.time(ClientOption.GRACE);
        if (signal.isPresent() && grace.isPresent()) {
            throw ConfigException.usage("--signal and --grace exclude each other");
        }
        try (RemoteHost host = connector.connect(ServerTarget.of(arguments, console.environment()))) {
            ProcessInfo process = find(host, processId);
            if (process.exited()) {
                throw ConfigException.failure("process `%s` has exited already".formatted(processId));
            }
            if (signal.isPresent()) {
                host.signal(processId, signal.get());
            } else {
                host.terminate(processId, grace);
            }
        }
        return ClientStatus.OK;
    }

    /** @throws ConfigException when the session has no such process */
    static ProcessInfo find(RemoteHost host, String processId) throws InterruptedException {
        return host.list().stream()
                .filter(process -> process.processId().equals(processId))
                .findFirst()
                .orElseThrow(() -> ConfigException.failure("the session has no process `%s`".formatted(processId)));
    }
}
