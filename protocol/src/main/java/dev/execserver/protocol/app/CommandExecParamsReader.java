package dev.execserver.protocol.app;

import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Collects the members of {@link CommandExecParams}. */
final class CommandExecParamsReader {

    private final Dialect dialect;
    private List<String> command;
    private Optional<String> processId = Optional.empty();
    private boolean tty;
    private boolean streamStdin;
    private boolean streamStdoutStderr;
    private OptionalLong outputBytesCap = OptionalLong.empty();
    private boolean disableOutputCap;
    private OptionalLong timeoutMs = OptionalLong.empty();
    private boolean disableTimeout;
    private Optional<String> cwd = Optional.empty();
    private Map<String, Optional<String>> env = Map.of();
    private Optional<CommandSize> size = Optional.empty();
    private Optional<PermissionProfile> sandboxPolicy = Optional.empty();
    private Optional<ProfileChoice> permissionProfile = Optional.empty();

    private CommandExecParamsReader(Dialect dialect) {
        this.dialect = dialect;
    }

    static CommandExecParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "CommandExecParams");
        CommandExecParamsReader members = new CommandExecParamsReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        return new CommandExecParams(
                in.required("command", members.command),
                members.processId,
                members.tty,
                members.streamStdin,
                members.streamStdoutStderr,
                members.outputBytesCap,
                members.disableOutputCap,
                members.timeoutMs,
                members.disableTimeout,
                members.cwd,
                members.env,
                members.size,
                members.sandboxPolicy,
                members.permissionProfile);
    }

    private void take(ParamsReader in) {
        switch (in.name()) {
            case "command" -> command = in.strings();
            case "processId" -> processId = in.stringOrNull();
            case "tty" -> tty = in.bool();
            case "streamStdin" -> streamStdin = in.bool();
            case "streamStdoutStderr" -> streamStdoutStderr = in.bool();
            case "outputBytesCap" -> outputBytesCap = in.usizeOrNull();
            case "disableOutputCap" -> disableOutputCap = in.bool();
            case "timeoutMs" -> timeoutMs = in.i64OrNull();
            case "disableTimeout" -> disableTimeout = in.bool();
            case "cwd" -> cwd = in.stringOrNull();
            case "env" -> env = in.nullableStringMapOrNull().orElse(Map.of());
            case "size" -> size = in.structOrNull("CommandExecTerminalSize", CommandSize::read);
            case "sandboxPolicy" ->
                sandboxPolicy = in.sliceOrNull().map(policy -> CommandPolicyReader.read(policy, dialect));
            case "permissionProfile" -> permissionProfile = profile(in);
            default -> {}
        }
    }

    private Optional<ProfileChoice> profile(ParamsReader in) {
        if (!dialect.open()) {
            return in.stringOrNull().map(ProfileChoice.Named::new);
        }
        return in.stringOrStructOrNull(
                ProfileChoice.Named::new,
                "PermissionProfile",
                object -> new ProfileChoice.Given(PermissionProfile.read(object, dialect)));
    }
}
