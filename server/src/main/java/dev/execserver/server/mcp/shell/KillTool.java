package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.server.process.Signals;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command in the background with its descendants, or sends it a signal. The thread of the call uses it; stateless.
 */
final class KillTool {
    /** Time that a command has for its end before it is killed. */
    private static final long GRACE_MS = 2_000;

    /** Time that the call waits for the end. */
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private KillTool() {}

    /**
     * Arguments of the tool.
     *
     * @param signal to send; empty to end the command
     */
    record Arguments(String id, Optional<String> signal) {
        static Arguments read(JsonSlice arguments) {
            return ShellArguments.reading(() -> members(arguments));
        }

        private static Arguments members(JsonSlice arguments) {
            ParamsReader in = ParamsReader.of(arguments, "KillParams");
            String id = null;
            Optional<String> signal = Optional.empty();
            while (in.next()) {
                switch (in.name()) {
                    case "id" -> id = in.string();
                    case "signal" -> signal = in.stringOrNull();
                    default -> {}
                }
            }
            return new Arguments(in.required("id", id), signal);
        }
    }

    static JsonWritable run(BackgroundCommand command, Arguments arguments) throws InterruptedException {
        if (arguments.signal().isPresent()) {
            command.running().process().signal(Signals.number(arguments.signal().get()), false);
        } else {
            boolean _ = command.running().process().end().terminate(GRACE_MS);
            awaitEnd(command.output());
        }
        return g -> {
            g.writeStartObject();
            command.writeState(g);
            g.writeEndObject();
        };
    }

    private static void awaitEnd(BackgroundOutput output) throws InterruptedException {
        long deadline = System.nanoTime() + WAIT_NANOS;
        while (output.end().isEmpty() && deadline - System.nanoTime() > 0) {
            output.await(output.total(), deadline - System.nanoTime());
        }
    }
}
