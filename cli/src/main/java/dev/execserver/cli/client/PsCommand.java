package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.text.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lists the processes of a session: id, pid, state, age and command line. Without a session {@link SessionTable} lists them all. */
final class PsCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(
                    ClientOption.SESSION,
                    ClientOption.TAKEOVER,
                    ClientOption.ALL,
                    ClientOption.IDS,
                    ClientOption.FORMAT),
            "",
            "",
            false);

    private static final String ROW = "%-14s %8s %-10s %9s  %s%n";

    private PsCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, Console console) throws InterruptedException {
        if (!arguments.has(ClientOption.SESSION)) {
            return SessionTable.run(arguments, connector, console);
        }
        try (RemoteHost host = connector.connect(ServerTarget.of(arguments, console.environment()))) {
            List<ProcessInfo> processes = host.list();
            console.out().printf(ROW, "PROCESS_ID", "PID", "STATE", "AGE", "COMMAND");
            for (ProcessInfo process : processes) {
                console.out()
                        .printf(
                                ROW,
                                VisibleText.of(process.processId()),
                                process.pid().isPresent()
                                        ? Long.toString(process.pid().getAsLong())
                                        : "-",
                                state(process),
                                age(process),
                                VisibleText.of(String.join(" ", process.argv())));
            }
        }
        return console.finish(ClientStatus.OK);
    }

    static String state(ProcessInfo process) {
        if (process.exited()) {
            return process.exitCode().isPresent()
                    ? "exited " + process.exitCode().getAsInt()
                    : "exited";
        }
        if (process.stopped()) {
            return "stopped";
        }
        return process.running() ? "running" : "starting";
    }

    static String age(ProcessInfo process) {
        return time(Duration.between(Instant.ofEpochMilli(process.startedAtMs()), Instant.now()));
    }

    static String time(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        return seconds < 3_600
                ? "%d:%02d".formatted(seconds / 60, seconds % 60)
                : "%d:%02d:%02d".formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
}
