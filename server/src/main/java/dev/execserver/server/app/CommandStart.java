package dev.execserver.server.app;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartParamsBuilder;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.server.sandbox.CommandProfile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes params of {@code process/start} for commands. Stateless; may read the file of profiles. */
final class CommandStart {

    /** Tells programs that they have no network; clients of the reference server rely on the name. */
    private static final String NETWORK_DISABLED = "CODEX_SANDBOX_NETWORK_DISABLED";

    private static final String TERM = "TERM";

    /** Kind of a terminal whose client names none: what nearly all emulators understand. */
    private static final String TERMINAL = "xterm-256color";

    /** Time after the exit for which output of other processes still counts. */
    private static final long DRAIN_MS = 2000;

    private final CommandHost host;

    CommandStart(CommandHost host) {
        this.host = host;
    }

    /** A profile with the directory that is its workspace. */
    private record Confined(CommandProfile chosen, PathUri workspace) {
        PermissionProfile profile() {
            return chosen.permissions();
        }
    }

    /**
     * Returns the params with which the process is reserved, before its profile is known. They are checked for NUL and
     * for names of variables.
     */
    StartParams reserved(String processId, CommandSpec spec) {
        Map<String, String> set = new LinkedHashMap<>();
        spec.env().forEach((name, value) -> set.put(name, value.orElse("")));
        return builder(processId, spec).env(set).build();
    }

    /** Returns the whole params. Runs on a file worker. */
    StartParams complete(String processId, CommandSpec spec) {
        host.profiles().refresh();
        Optional<Confined> confined = confined(spec);
        Map<String, String> env = new HashMap<>(host.environment());
        spec.env().forEach((name, value) -> value.ifPresentOrElse(text -> env.put(name, text), () -> env.remove(name)));
        if (spec.tty() && host.dialect().open() && !spec.env().containsKey(TERM)) {
            env.putIfAbsent(TERM, TERMINAL);
        }
        StartParamsBuilder params = builder(processId, spec);
        confined.ifPresent(sandbox -> {
            if (!sandbox.profile().networkPolicy().enabled()) {
                env.put(NETWORK_DISABLED, "1");
            }
            if (sandbox.profile() instanceof PermissionProfile.Managed) {
                params.sandbox(slice(SandboxContext.of(sandbox.profile(), sandbox.workspace())));
            }
        });
        StartParams complete = params.env(env).build();
        return confined.flatMap(sandbox -> sandbox.chosen().proxy())
                .map(complete::withProxy)
                .orElse(complete);
    }

    /** Returns the sandbox of commands that name none. Runs on a file worker. */
    Optional<JsonSlice> standardSandbox() {
        host.profiles().refresh();
        PermissionProfile profile = host.profiles().standard().forCommands().permissions();
        return profile instanceof PermissionProfile.Managed
                ? Optional.of(
                        slice(SandboxContext.of(profile, host.directories().server())))
                : Optional.empty();
    }

    private Optional<Confined> confined(CommandSpec spec) {
        PathUri own = spec.cwd();
        return switch (spec.confinement()) {
            case Confinement.None() -> Optional.empty();
            case Confinement.Standard() ->
                Optional.of(new Confined(host.profiles().standard().forCommands(), own));
            case Confinement.Named(String id) ->
                Optional.of(new Confined(host.profiles().find(id).forCommands(), own));
            case Confinement.Given(PermissionProfile profile) ->
                Optional.of(new Confined(CommandProfile.of(profile), own));
            case Confinement.Policy(PermissionProfile profile) ->
                Optional.of(new Confined(
                        CommandProfile.of(profile), host.directories().server()));
        };
    }

    private StartParamsBuilder builder(String processId, CommandSpec spec) {
        return new StartParamsBuilder(processId, spec.cwd(), spec.argv())
                .tty(spec.tty())
                .pipeStdin(spec.streamStdin() && !spec.tty())
                .options(new StartOptions(
                        spec.size().map(size -> new TerminalSize(size.cols(), size.rows())),
                        OptionalLong.of(timeoutMs(spec)),
                        OptionalLong.empty(),
                        OptionalLong.of(DRAIN_MS),
                        false));
    }

    /** Returns the time limit for {@code process/start}, where 0 is none; here it is the shortest one. */
    private long timeoutMs(CommandSpec spec) {
        if (spec.timeoutMs().isEmpty()) {
            return 0;
        }
        long wanted = Math.max(1, spec.timeoutMs().getAsLong());
        return spec.usualTimeout() ? host.starter().usualTimeoutMs(wanted) : wanted;
    }

    private static JsonSlice slice(SandboxContext context) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, context);
        byte[] json = out.toByteArray();
        return JsonSlice.of(json, 0, json.length);
    }
}
