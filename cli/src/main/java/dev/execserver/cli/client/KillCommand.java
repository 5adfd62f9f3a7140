package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;

/** Kills a process of a session and everything that it has started, or sends a signal to its process group. */
final class KillCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(ClientOption.SESSION, ClientOption.TAKEOVER, ClientOption.SIGNAL, ClientOption.GRACE),
            "PROCESS",
            "The process, by its session; with --session its PROCESS_ID.",
            false);

    /** Time in which a killed process ends unless the kernel holds it. */
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    /** Text that servers send for a process that they have forgotten since its end; there is no error code for it. */
    private static final String UNKNOWN_PROCESS = "unknown process id";

    private KillCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, Console console) throws InterruptedException {
        String wanted = arguments.operand(USAGE);
        Optional<String> signal = arguments.value(ClientOption.SIGNAL);
        Optional<Duration> grace = arguments.time(ClientOption.GRACE);
        if (signal.isPresent() && grace.isPresent()) {
            throw ConfigException.usage("--signal and --grace exclude each other");
        }
        ServerTarget target = ServerTarget.of(arguments, console.environment());
        Victim victim = target.session().isPresent() ? new Victim(target, wanted) : find(target, wanted, connector);
        String processId = victim.processId();
        try (RemoteHost host = connector.connect(victim.target())) {
            ProcessInfo process = find(host, processId);
            if (process.exited()) {
                throw ConfigException.failure("process `%s` has exited already".formatted(processId));
            }
            if (signal.isPresent()) {
                host.signal(processId, signal.get());
                return ClientStatus.OK;
            }
            host.terminate(processId, grace);
            return awaitEnd(host, wanted, processId, grace, console);
        }
    }

    /** Process to kill, and the session that has it. */
    private record Victim(ServerTarget target, String processId) {}

    /** @throws ConfigException when there is no such process, or another client has its session and may keep it */
    private static Victim find(ServerTarget target, String wanted, RemoteHost.Connector connector)
            throws InterruptedException {
        AtomicReference<FoundProcess> found = new AtomicReference<>();
        int _ = Question.ask(connector, target, host -> {
            found.set(FoundProcess.of(host.sessions(), wanted));
            return ClientStatus.OK;
        });
        FoundProcess process = found.get();
        if (process.session().attached() && !target.takeover()) {
            throw ConfigException.failure(
                    "another client has the session of `%s`; --takeover takes it, and that client ends too"
                            .formatted(wanted));
        }
        return new Victim(
                target.with(Optional.of(process.session().sessionId())),
                process.process().processId());
    }

    private static int awaitEnd(
            RemoteHost host, String wanted, String processId, Optional<Duration> grace, Console console)
            throws InterruptedException {
        long end =
                System.nanoTime() + grace.orElse(Duration.ZERO).plus(AFTER_KILL).toNanos();
        WaitResult answer;
        do {
            long left = Math.max(0, (end - System.nanoTime()) / 1_000_000);
            try {
                answer = host.await(new WaitParams(
                        processId,
                        Optional.empty(),
                        new WaitCondition.Exit(),
                        0,
                        Math.min(left, WaitCommand.QUESTION.toMillis())));
            } catch (UnsupportedFeatureException e) {
                console.note("the server was told to kill %s, and cannot say when it has ended: %s"
                        .formatted(wanted, e.getMessage()));
                return ClientStatus.OK;
            } catch (RequestFailedException e) {
                return unseen(wanted, e, console);
            }
            if (answer.exited()) {
                OptionalInt status = answer.exitCode();
                console.note("%s has ended%s"
                        .formatted(wanted, status.isPresent() ? " with status " + status.getAsInt() : ""));
                return ClientStatus.OK;
            }
        } while (end - System.nanoTime() > 0);
        console.error("%s was killed and has not ended after %d s".formatted(wanted, AFTER_KILL.toSeconds()));
        return ClientStatus.FAILURE;
    }

    private static int unseen(String wanted, RequestFailedException answer, Console console) {
        if (answer.serverMessage().startsWith(UNKNOWN_PROCESS)) {
            console.note(wanted + " has ended");
            return ClientStatus.OK;
        }
        console.error("the server was told to kill %s, and does not say if it has ended: %s"
                .formatted(wanted, answer.serverMessage()));
        return ClientStatus.END_NOT_SEEN;
    }

    /** @throws ConfigException when the session has no such process */
    static ProcessInfo find(RemoteHost host, String processId) throws InterruptedException {
        return host.list().stream()
                .filter(process -> process.processId().equals(processId))
                .findFirst()
                .orElseThrow(() -> ConfigException.failure("the session has no process `%s`".formatted(processId)));
    }
}
