package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.mcp.OpenCall;
import java.util.concurrent.TimeUnit;

/** Returns output of a command in the background, and waits for something before. The thread of the call uses it; no state. */
final class OutputTool {
    /** Time between two looks at the ports of a command. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final FileWorkers files;

    OutputTool(FileWorkers files) {
        this.files = files;
    }

    JsonWritable run(BackgroundCommand command, OutputArguments wanted, OpenCall call) throws InterruptedException {
        call.whenCancelled(command.output()::wake);
        boolean met = await(command, wanted, call);
        BackgroundOutput.Piece piece = command.output().after(wanted.cursor(), wanted.maxBytes());
        return g -> {
            g.writeStartObject();
            command.writeState(g);
            g.writeStringField("output", piece.text());
            g.writeNumberField("next_cursor", piece.next());
            g.writeNumberField("omitted_bytes", piece.omitted());
            g.writeBooleanField("condition_met", met);
            g.writeEndObject();
        };
    }

    /** Waits until what was wanted is there. Returns false if it did not come in time, or cannot come any more. */
    private boolean await(BackgroundCommand command, OutputArguments wanted, OpenCall call)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wanted.waitMs());
        while (true) {
            long seen = command.output().total();
            boolean ended = command.ended();
            if (met(command, wanted)) {
                return true;
            }
            long left = deadline - System.nanoTime();
            if (ended || left <= 0 || call.cancelled()) {
                return false;
            }
            command.output().await(seen, wanted.port().isPresent() ? Math.min(left, LOOK_NANOS) : left);
        }
    }

    private boolean met(BackgroundCommand command, OutputArguments wanted) {
        boolean text = wanted.text()
                .filter(expected -> command.output().contains(wanted.cursor(), expected))
                .isPresent();
        boolean exit = wanted.exit() && command.ended();
        boolean port =
                wanted.port().isPresent() && listens(command, wanted.port().getAsInt());
        boolean anything = wanted.text().isEmpty()
                && !wanted.exit()
                && wanted.port().isEmpty()
                && command.output().news(wanted.cursor());
        return text || exit || port || anything;
    }

    private boolean listens(BackgroundCommand command, int port) {
        var pid = command.running().process().describe().pid();
        return pid.isPresent()
                && files.call(() -> ListeningPorts.of(pid.getAsLong()).contains(port));
    }
}
