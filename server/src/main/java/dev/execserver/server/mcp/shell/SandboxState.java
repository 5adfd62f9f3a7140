package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyConversion;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.permissions.SandboxPolicy;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.sandbox.CommandProfile;
import dev.execserver.server.sandbox.WantedSandbox;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sandbox of the calls of one client: the policy that it has sent with {@code codex/sandbox-state/update}, or the operator's
 * profile, or the default, which lets a command read everything and write its workspace and the temporary folders. The last update
 * holds for later calls. Any thread.
 */
final class SandboxState {
    private final Supplier<CommandProfile> standard;
    private final ToolForm form;
    private volatile Optional<Update> update = Optional.empty();

    private record Update(PermissionProfile profile, PathUri cwd, boolean landlock) {}

    /** @param standard profile of calls of a client that has sent no policy; may block */
    SandboxState(Supplier<CommandProfile> standard, ToolForm form) {
        this.form = form;
        this.standard = standard;
    }

    /** @throws RpcException -32602 with the params as data */
    void update(JsonSlice params) {
        if (params.isNull()) {
            throw RpcException.invalidParams("missing params for sandbox state request");
        }
        try {
            update = Optional.of(read(params));
        } catch (RpcException e) {
            throw form.unreadableSandbox(params, e);
        }
    }

    /** The path of a sandbox program is ignored: this server is the sandbox. */
    private static Update read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "SandboxState");
        Optional<PermissionProfile> profile = Optional.empty();
        Optional<PermissionProfile> legacy = Optional.empty();
        String cwd = null;
        boolean landlock = false;
        while (in.next()) {
            switch (in.name()) {
                case "sandboxPolicy" ->
                    legacy = in.sliceOrNull()
                            .map(policy -> PolicyConversion.toProfile(SandboxPolicy.read(policy, Dialect.OPEN)));
                case "permissionProfile" ->
                    profile = in.sliceOrNull().map(found -> PermissionProfile.read(found, Dialect.OPEN));
                case "sandboxCwd" -> cwd = in.string();
                case "useLegacyLandlock" -> landlock = in.boolOrNull().orElse(false);
                case "useLinuxSandboxBwrap", "useLinuxSandboxBindMounts" -> in.boolOrNull();
                default -> {}
            }
        }
        PermissionProfile given = profile.orElse(legacy.orElse(null));
        return new Update(
                in.required("sandboxPolicy", given),
                PathUri.parse(in.required("sandboxCwd", cwd), Dialect.OPEN).requireLinux("sandboxCwd"),
                landlock);
    }

    /**
     * Returns the sandbox of a call. Without an update the workspace is that of the client's roots, or the working directory. Blocks.
     */
    WantedSandbox choose(PathUri workdir, List<PathUri> roots) {
        Optional<Update> sent = update;
        List<PathUri> workspace =
                sent.map(state -> List.of(state.cwd())).orElse(roots.isEmpty() ? List.of(workdir) : roots);
        CommandProfile profile =
                sent.map(state -> CommandProfile.of(state.profile())).orElseGet(standard);
        SandboxContext context = new SandboxContext(
                profile.permissions(),
                Optional.of(sent.map(Update::cwd).orElse(workdir)),
                workspace,
                Optional.empty(),
                Optional.empty(),
                SandboxContext.NO_WINDOWS_SANDBOX,
                sent.map(Update::landlock).orElse(false));
        return new WantedSandbox(context, profile.proxy());
    }

    /** Returns true if the workspace of a call depends on the client's roots. */
    boolean usesRoots() {
        return update.isEmpty();
    }

    static boolean restrictsNetwork(PermissionProfile profile) {
        return switch (profile) {
            case PermissionProfile.Managed managed -> !managed.network().enabled();
            case PermissionProfile.External external -> !external.network().enabled();
            case PermissionProfile.Disabled _ -> false;
        };
    }
}
