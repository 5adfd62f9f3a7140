package dev.execserver.protocol.app;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Params of {@code process/spawn}.
 *
 * @param processHandle name for follow-up calls
 * @param outputBytesCap cap of each stream; the default was filled in, and empty means none
 * @param timeoutMs time limit; the default was filled in, and empty means none
 * @param usualTimeout true if the time limit is the default
 * @param env variables to set, or to remove if empty
 */
public record SpawnParams(
        List<String> command,
        PathUri cwd,
        String processHandle,
        boolean tty,
        boolean streamStdin,
        boolean streamStdoutStderr,
        OptionalLong outputBytesCap,
        OptionalLong timeoutMs,
        boolean usualTimeout,
        Map<String, Optional<String>> env,
        Optional<CommandSize> size) {

    public SpawnParams {
        command = List.copyOf(command);
        env = Map.copyOf(env);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static SpawnParams read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "ProcessSpawnParams");
        List<String> command = null;
        PathUri cwd = null;
        String processHandle = null;
        boolean tty = false;
        boolean streamStdin = false;
        boolean streamOutput = false;
        OptionalLong cap = OptionalLong.of(CommandDefaults.OUTPUT_BYTES_CAP);
        OptionalLong timeoutMs = OptionalLong.of(CommandDefaults.TIMEOUT_MS);
        boolean usualTimeout = true;
        Map<String, Optional<String>> env = Map.of();
        Optional<CommandSize> size = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "command" -> command = in.strings();
                case "cwd" -> cwd = CommandPolicyReader.path(in.string());
                case "processHandle" -> processHandle = in.string();
                case "tty" -> tty = in.bool();
                case "streamStdin" -> streamStdin = in.bool();
                case "streamStdoutStderr" -> streamOutput = in.bool();
                case "outputBytesCap" -> cap = in.usizeOrNull();
                case "timeoutMs" -> {
                    timeoutMs = in.i64OrNull();
                    usualTimeout = false;
                }
                case "env" -> env = in.nullableStringMapOrNull().orElse(Map.of());
                case "size" -> size = in.structOrNull("ProcessTerminalSize", CommandSize::read);
                default -> {}
            }
        }
        return new SpawnParams(
                in.required("command", command),
                in.required("cwd", cwd),
                in.required("processHandle", processHandle),
                tty,
                streamStdin,
                streamOutput,
                cap,
                timeoutMs,
                usualTimeout,
                env,
                size);
    }
}
