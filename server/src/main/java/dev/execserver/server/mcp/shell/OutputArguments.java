package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Arguments of the tool {@code shell_output}.
 *
 * @param cursor position in the output; what is behind it is returned
 * @param waitMs longest time to wait
 * @param text to wait for, behind the cursor
 * @param exit true to wait for the end
 * @param port on which the command must listen, to wait for
 */
record OutputArguments(
        String id, long cursor, int maxBytes, long waitMs, Optional<String> text, boolean exit, OptionalInt port) {
    static final long MAX_WAIT_MS = 10 * 60_000;

    private static final int DEFAULT_BYTES = 64 * 1024;

    /** Time for a condition without a time of its own. */
    private static final long DEFAULT_WAIT_MS = 30_000;

    private static final int LARGEST_PORT = 65_535;

    static OutputArguments read(JsonSlice arguments) {
        return ShellArguments.reading(() -> members(arguments));
    }

    private static OutputArguments members(JsonSlice arguments) {
        ParamsReader in = ParamsReader.of(arguments, "OutputParams");
        String id = null;
        long cursor = 0;
        OptionalLong maxBytes = OptionalLong.empty();
        OptionalLong waitMs = OptionalLong.empty();
        Optional<String> text = Optional.empty();
        boolean exit = false;
        OptionalLong port = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "id" -> id = in.string();
                case "cursor" -> cursor = in.u64OrNull().orElse(0);
                case "max_bytes" -> maxBytes = in.u64OrNull();
                case "wait_ms" -> waitMs = in.u64OrNull();
                case "wait_for_text" -> text = in.stringOrNull().filter(wanted -> !wanted.isEmpty());
                case "wait_for_exit" -> exit = in.boolOrNull().orElse(false);
                case "wait_for_port" -> port = in.u64OrNull();
                default -> {}
            }
        }
        boolean conditional = text.isPresent() || exit || port.isPresent();
        return new OutputArguments(
                in.required("id", id),
                cursor,
                (int) Math.clamp(maxBytes.orElse(DEFAULT_BYTES), 1, BackgroundOutput.MAX_BYTES),
                Math.min(waitMs.orElse(conditional ? DEFAULT_WAIT_MS : 0), MAX_WAIT_MS),
                text,
                exit,
                port(port));
    }

    private static OptionalInt port(OptionalLong given) {
        if (given.isPresent() && (given.getAsLong() < 1 || given.getAsLong() > LARGEST_PORT)) {
            throw RpcException.invalidParams("wait_for_port must be 1 to " + LARGEST_PORT);
        }
        return given.isPresent() ? OptionalInt.of((int) given.getAsLong()) : OptionalInt.empty();
    }
}
