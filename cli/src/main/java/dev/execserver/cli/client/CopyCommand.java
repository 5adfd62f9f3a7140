package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.client.CopyRequest.Operand;
import dev.execserver.cli.client.copy.IncompleteFiles;
import dev.execserver.cli.client.copy.LocalSide;
import dev.execserver.cli.client.copy.Progress;
import dev.execserver.cli.client.copy.ProgressLine;
import dev.execserver.cli.client.copy.Report;
import dev.execserver.cli.client.copy.Side;
import dev.execserver.cli.client.copy.StreamSide;
import dev.execserver.cli.client.copy.TreeCopier;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.text.VisibleText;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Copies files and directories between this machine and the server. */
final class CopyCommand {
    static final Usage USAGE = new Usage(
            Usage.connected(ClientOption.RECURSIVE, ClientOption.QUIET),
            "SOURCE... TARGET",
            "Paths; those of one side have a colon in front and are on the server.",
            false);

    private static final int DEFAULT_COLUMNS = 80;
    private static final String NO_DIRECTORY = "it is not a directory";

    private final CopyRequest request;
    private final RemoteHost host;
    private final LocalTerminal local;
    private final IncompleteFiles leftovers = new IncompleteFiles();
    private final Report report;

    private CopyCommand(CopyRequest request, RemoteHost host, LocalTerminal local, Report report) {
        this.request = request;
        this.host = host;
        this.local = local;
        this.report = report;
    }

    static int run(Arguments arguments, RemoteHost.Connector connector, LocalTerminal local, Console console)
            throws InterruptedException {
        CopyRequest request = CopyRequest.of(arguments);
        ServerTarget target = ServerTarget.of(arguments, console.environment());
        Progress progress = arguments.has(ClientOption.QUIET) || !local.errorsAreTerminal()
                ? Progress.SILENT
                : new ProgressLine(local.errors(), () -> columns(local));
        Report report = new Report(console, progress);
        try (RemoteHost host = connector.connect(target)) {
            CopyCommand command = new CopyCommand(request, host, local, report);
            try (CopyInterruptHook _ = CopyInterruptHook.arm(command.leftovers)) {
                return command.run();
            } finally {
                command.leftovers
                        .left()
                        .forEach(name -> console.error(VisibleText.of(name) + ": it may be left, not complete"));
            }
        }
    }

    private static int columns(LocalTerminal local) {
        return local.windowSize().map(WindowSize::columns).orElse(DEFAULT_COLUMNS);
    }

    private int run() throws InterruptedException {
        List<PathUri> sources = new ArrayList<>();
        for (Operand source : request.sources()) {
            if (source instanceof Operand.Local(String name)
                    && name.endsWith("/")
                    && Files.isRegularFile(LocalFile.of(name))) {
                report.problem(name, NO_DIRECTORY); // paths of the JDK lose the slash
            } else {
                sources.add(path(source));
            }
        }
        TreeCopier copier =
                new TreeCopier(side(request.sources().getFirst()), side(request.target()), request.recursive(), report);
        try {
            copier.copyAll(sources, path(request.target()), endsInSlash(request.target()));
        } catch (StreamSide.OutputClosedException e) {
            return ClientStatus.BROKEN_PIPE;
        }
        report.finish();
        endSession();
        return report.clean() ? ClientStatus.OK : ClientStatus.FAILURE;
    }

    private Side side(Operand operand) {
        return switch (operand) {
            case Operand.Remote _ -> host.files(leftovers);
            case Operand.Local _ -> new LocalSide(leftovers);
            case Operand.Stream _ ->
                operand == request.target() ? StreamSide.output(local.output()) : StreamSide.input(local.input());
        };
    }

    /** Ends the session, because no client will come back for it. */
    private void endSession() throws InterruptedException {
        try {
            host.end();
        } catch (ExecServerException e) {
            // Everything is copied, and the session ends by itself.
            return;
        }
    }

    private PathUri path(Operand operand) {
        return switch (operand) {
            case Operand.Remote remote -> host.path(remote.path());
            case Operand.Local here -> localPath(here.path());
            case Operand.Stream _ -> StreamSide.FILE;
        };
    }

    private static PathUri localPath(String text) {
        return text.startsWith("file:") ? PathUri.parse(text, Dialect.OPEN) : LocalSide.path(LocalFile.of(text));
    }

    private static boolean endsInSlash(Operand operand) {
        return switch (operand) {
            case Operand.Remote(String path) -> path.endsWith("/");
            case Operand.Local(String path) -> path.endsWith("/");
            case Operand.Stream _ -> false;
        };
    }
}
