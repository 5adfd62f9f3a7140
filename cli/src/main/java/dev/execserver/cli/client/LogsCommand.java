package dev.execserver.cli.client;

import dev.execserver.cli.BrokenPipe;
import dev.execserver.cli.Console;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Shows the output of a process of any session, as an observer: nothing is taken, delivered or held up. */
final class LogsCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(ClientOption.FOLLOW, ClientOption.TAIL), "PROCESS", "The process, by its session.", false);

    /** Longest time of one question. */
    private static final Duration QUESTION = Duration.ofSeconds(30);

    private LogsCommand() {}

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalTerminal local, Console console)
            throws InterruptedException {
        String wanted = arguments.operand(USAGE);
        OptionalLong tail = arguments
                .value(ClientOption.TAIL)
                .map(text -> OptionalLong.of(lines(text)))
                .orElse(OptionalLong.empty());
        return Question.ask(connector, ServerTarget.of(arguments, console.environment()), host -> {
            FoundProcess found = FoundProcess.of(host.sessions(), wanted);
            LastLines begin = tail.isPresent()
                    ? LastLines.of(host, found, tail.getAsLong())
                    : new LastLines(
                            host.observe(
                                    found.session().sessionId(), found.process().processId(), Backlog.ALL),
                            List.of(),
                            false);
            return show(begin, arguments.has(ClientOption.FOLLOW), tail.isPresent(), local, console);
        });
    }

    private static int show(LastLines begin, boolean follow, boolean tail, LocalTerminal local, Console console)
            throws InterruptedException {
        try {
            write(begin.chunks(), local);
            boolean over = begin.ended() || (tail && !follow);
            while (!over) {
                ProcessObserver.Sight seen = begin.sight().next(follow ? QUESTION : Duration.ZERO);
                if (seen.skippedBytes() > 0) {
                    console.note("%d bytes of output are not kept any more".formatted(seen.skippedBytes()));
                }
                write(seen.output().chunks(), local);
                over = seen.output().closed()
                        || (!follow && seen.output().chunks().isEmpty());
            }
            return ClientStatus.OK;
        } catch (IOException e) {
            if (BrokenPipe.is(e)) {
                return ClientStatus.BROKEN_PIPE;
            }
            console.error("the output cannot be written: " + FileErrors.text(e));
            return ClientStatus.FAILURE;
        }
    }

    private static void write(List<OutputChunk> chunks, LocalTerminal local) throws IOException {
        for (OutputChunk chunk : chunks) {
            OutputStream target = chunk.stream() == StreamKind.STDERR ? local.errors() : local.output();
            target.write(chunk.buffer(), chunk.offset(), chunk.length());
        }
    }

    private static long lines(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw Arguments.invalid(ClientOption.TAIL, text, "a number of lines");
        }
        return Long.parseLong(text);
    }
}
