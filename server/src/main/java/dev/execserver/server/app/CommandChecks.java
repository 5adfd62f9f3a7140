package dev.execserver.server.app;

import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.app.CommandDefaults;
import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.CommandSize;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.app.SpawnParams;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks the values of commands, in the order of the reference server. Stateless. */
final class CommandChecks {

    private CommandChecks() {}

    /** Checks the combinations of members, before the profile is looked at. */
    static void combinations(CommandExecParams params) {
        if (params.command().isEmpty()) {
            throw RpcException.invalidRequest("command must not be empty");
        }
        if (params.sandboxPolicy().isPresent() && params.permissionProfile().isPresent()) {
            throw RpcException.invalidRequest("`permissionProfile` cannot be combined with `sandboxPolicy`");
        }
        sizeNeedsTerminal(AppMethodNames.EXEC, params.size(), params.tty());
        if (params.outputBytesCap().isPresent() && params.disableOutputCap()) {
            throw RpcException.invalidParams("command/exec cannot set both outputBytesCap and disableOutputCap");
        }
        if (params.timeoutMs().isPresent() && params.disableTimeout()) {
            throw RpcException.invalidParams("command/exec cannot set both timeoutMs and disableTimeout");
        }
        notNegative(AppMethodNames.EXEC, params.timeoutMs());
    }

    /** Returns the first error of the members that are looked at after the profile. */
    static Optional<RpcException> later(CommandExecParams params) {
        if (params.size().filter(CommandSize::empty).isPresent()) {
            return Optional.of(CommandWords.COMMAND.emptySize());
        }
        boolean streams = params.tty() || params.streamStdin() || params.streamStdoutStderr();
        return streams && params.processId().isEmpty()
                ? Optional.of(RpcException.invalidRequest(
                        "command/exec tty or streaming requires a client-supplied processId"))
                : Optional.empty();
    }

    /** Checks a {@code process/spawn}. */
    static void spawn(SpawnParams params) {
        if (params.command().isEmpty()) {
            throw RpcException.invalidRequest("command must not be empty");
        }
        if (params.processHandle().isEmpty()) {
            throw RpcException.invalidRequest("processHandle must not be empty");
        }
        sizeNeedsTerminal(AppMethodNames.SPAWN, params.size(), params.tty());
        notNegative(AppMethodNames.SPAWN, params.timeoutMs());
        if (params.size().filter(CommandSize::empty).isPresent()) {
            throw CommandWords.SPAWN.emptySize();
        }
    }

    private static void sizeNeedsTerminal(String method, Optional<CommandSize> size, boolean tty) {
        if (size.isPresent() && !tty) {
            throw RpcException.invalidParams(method + " size requires tty: true");
        }
    }

    private static void notNegative(String method, OptionalLong timeoutMs) {
        if (timeoutMs.isPresent() && timeoutMs.getAsLong() < 0) {
            throw RpcException.invalidParams(method + " timeoutMs must be non-negative, got " + timeoutMs.getAsLong());
        }
    }

    /** Returns the checked command. */
    static CommandSpec spec(CommandExecParams params, WorkingDirectories directories) {
        return new CommandSpec(
                CommandFamily.COMMAND,
                params.processId(),
                params.command(),
                directories.resolve(params.cwd()),
                params.env(),
                params.tty(),
                params.tty() || params.streamStdin(),
                params.tty() || params.streamStdoutStderr(),
                params.disableOutputCap()
                        ? OptionalLong.empty()
                        : OptionalLong.of(params.outputBytesCap().orElse(CommandDefaults.OUTPUT_BYTES_CAP)),
                params.disableTimeout()
                        ? OptionalLong.empty()
                        : OptionalLong.of(params.timeoutMs().orElse(CommandDefaults.TIMEOUT_MS)),
                params.timeoutMs().isEmpty() && !params.disableTimeout(),
                params.size(),
                confinement(params));
    }

    private static Confinement confinement(CommandExecParams params) {
        if (params.sandboxPolicy().isPresent()) {
            return new Confinement.Policy(params.sandboxPolicy().get());
        }
        return params.permissionProfile()
                .<Confinement>map(choice -> switch (choice) {
                    case ProfileChoice.Named(String id) -> new Confinement.Named(id);
                    case ProfileChoice.Given(var profile) -> new Confinement.Given(profile);
                })
                .orElseGet(Confinement.Standard::new);
    }

    /** Returns the checked command. */
    static CommandSpec spec(SpawnParams params) {
        return new CommandSpec(
                CommandFamily.SPAWN,
                Optional.of(params.processHandle()),
                params.command(),
                params.cwd(),
                params.env(),
                params.tty(),
                params.tty() || params.streamStdin(),
                params.tty() || params.streamStdoutStderr(),
                params.outputBytesCap(),
                params.timeoutMs(),
                params.usualTimeout(),
                params.size(),
                new Confinement.None());
    }
}
