package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Arguments of the tool {@code shell}.
 *
 * @param command text for the shell
 * @param timeoutMs empty for the default
 * @param login true for a login shell
 * @param background true to answer at once and let the command run on
 * @param tty true for a terminal
 */
record ShellArguments(
        String command, String workdir, OptionalLong timeoutMs, boolean login, boolean background, boolean tty) {
    static final long DEFAULT_TIMEOUT_MS = 10_000;

    private static final String PREFIX = "failed to deserialize parameters: ";

    static ShellArguments read(JsonSlice arguments) {
        return reading(() -> readMembers(arguments));
    }

    private static ShellArguments readMembers(JsonSlice arguments) {
        ParamsReader in = ParamsReader.of(arguments, "ExecParams");
        String command = null;
        String workdir = null;
        OptionalLong timeoutMs = OptionalLong.empty();
        boolean login = true;
        boolean background = false;
        boolean tty = false;
        while (in.next()) {
            switch (in.name()) {
                case "command" -> command = in.string();
                case "workdir" -> workdir = in.string();
                case "timeout_ms" -> timeoutMs = in.u64OrNull();
                case "login" -> login = in.boolOrNull().orElse(true);
                case "background" -> background = in.boolOrNull().orElse(false);
                case "tty" -> tty = in.boolOrNull().orElse(false);
                default -> {}
            }
        }
        return new ShellArguments(
                in.required("command", command), in.required("workdir", workdir), timeoutMs, login, background, tty);
    }

    /** Returns the arguments without those that the original tool does not know. */
    ShellArguments plain() {
        return new ShellArguments(command, workdir, timeoutMs, login, false, false);
    }

    /** Reads arguments; errors have the beginning that clients know. */
    static <T> T reading(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (RpcException e) {
            throw RpcException.invalidParams(PREFIX + e.message());
        }
    }
}
