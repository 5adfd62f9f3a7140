package dev.execserver.cli.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.cli.Console;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.session.SessionInfo;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Table of all sessions that can be found, with their processes. */
final class SessionTable {
    private static final String TABLE = "table";
    private static final String JSON = "json";
    private static final String ROW = "%-8s  %-16s %-9s %-10s %-10s %9s %9s %8s  %s%n";
    private static final String NONE = "-";
    private static final long KILO = 1_000;
    private static final List<String> UNITS = List.of("B", "kB", "MB", "GB", "TB", "PB", "EB");

    private SessionTable() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, Console console) throws InterruptedException {
        String format = arguments.value(ClientOption.FORMAT).orElse(TABLE);
        if (!format.equals(TABLE) && !format.equals(JSON)) {
            throw Arguments.invalid(ClientOption.FORMAT, format, "table or json");
        }
        boolean all = arguments.has(ClientOption.ALL);
        return Question.ask(connector, ServerTarget.of(arguments, console.environment()), host -> {
            List<SessionInfo> sessions =
                    host.sessions().stream().filter(session -> !session.own()).toList();
            if (arguments.has(ClientOption.IDS)) {
                sessions.forEach(session -> ids(session, all, console));
            } else if (format.equals(JSON)) {
                sessions.stream()
                        .filter(session -> all || !shown(session, false).isEmpty())
                        .forEach(session -> console.out().println(json(session)));
            } else {
                table(sessions, all, console);
            }
            return console.finish(ClientStatus.OK);
        });
    }

    private static List<ProcessInfo> shown(SessionInfo session, boolean all) {
        return session.processes().stream()
                .filter(process -> all || !process.exited())
                .toList();
    }

    private static void ids(SessionInfo session, boolean all, Console console) {
        shown(session, all)
                .forEach(process ->
                        console.out().println(session.sessionId() + "/" + VisibleText.of(process.processId())));
    }

    private static void table(List<SessionInfo> sessions, boolean all, Console console) {
        console.out()
                .printf(ROW, "SESSION", "NAME", "CLIENT", "PROCESS_ID", "STATE", "AGE", "CPU", "OUTPUT", "COMMAND");
        for (SessionInfo session : sessions) {
            List<ProcessInfo> processes = shown(session, all);
            processes.forEach(process -> row(session, process, console));
            if (processes.isEmpty() && all) {
                console.out()
                        .printf(
                                ROW,
                                begin(session),
                                name(session),
                                client(session),
                                NONE,
                                NONE,
                                NONE,
                                NONE,
                                NONE,
                                NONE);
            }
        }
    }

    private static void row(SessionInfo session, ProcessInfo process, Console console) {
        console.out()
                .printf(
                        ROW,
                        begin(session),
                        name(session),
                        client(session),
                        VisibleText.of(process.processId()),
                        PsCommand.state(process),
                        PsCommand.age(process),
                        process.cpuMs().isPresent()
                                ? PsCommand.time(
                                        Duration.ofMillis(process.cpuMs().getAsLong()))
                                : NONE,
                        size(process.outputBytes()),
                        VisibleText.of(String.join(" ", process.argv())));
    }

    private static String begin(SessionInfo session) {
        String id = VisibleText.of(session.sessionId());
        return id.substring(0, Math.min(FoundProcess.SHOWN_CHARS, id.length()));
    }

    private static String name(SessionInfo session) {
        return session.name().map(VisibleText::of).orElse(NONE);
    }

    private static String client(SessionInfo session) {
        return session.attached() ? "attached" : "detached";
    }

    private static String size(OptionalLong bytes) {
        if (bytes.isEmpty()) {
            return NONE;
        }
        long value = bytes.getAsLong();
        int unit = 0;
        while (value >= KILO) {
            value /= KILO;
            unit++;
        }
        return value + UNITS.get(unit);
    }

    private static String json(SessionInfo session) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g = new JsonFactory().createGenerator(text)) {
            session.writeTo(g);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
