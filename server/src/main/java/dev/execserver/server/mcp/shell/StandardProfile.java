package dev.execserver.server.mcp.shell;

import dev.execserver.cli.local.ProfileArgument;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyConversion;
import dev.execserver.protocol.permissions.SandboxPolicy;
import dev.execserver.server.config.Mcp;
import dev.execserver.server.sandbox.CommandProfile;
import dev.execserver.server.sandbox.NamedProfiles;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Profile of the calls of clients that have sent no policy. One with a name follows the changes of the operator's file; if its name
 * has gone, calls are refused. Any thread; immutable.
 */
final class StandardProfile implements Supplier<CommandProfile> {
    private static final PermissionProfile WORKSPACE =
            PolicyConversion.toProfile(new SandboxPolicy.WorkspaceWrite(List.of(), false, false, false));

    private final Supplier<CommandProfile> current;

    private StandardProfile(Supplier<CommandProfile> current) {
        this.current = current;
    }

    /**
     * Reads the profile of the settings.
     *
     * @param floor the most that a client can get, which is the profile if the settings have none
     * @throws dev.execserver.cli.local.ConfigException if it cannot be read, or is not known
     */
    static StandardProfile of(Mcp settings, NamedProfiles profiles, Optional<PermissionProfile> floor) {
        String option = "--profile";
        if (settings.profile().isEmpty()) {
            return fixed(CommandProfile.of(floor.orElse(WORKSPACE)));
        }
        return switch (ProfileArgument.choice(option, settings.profile().get())) {
            case ProfileChoice.Given(PermissionProfile profile) -> fixed(CommandProfile.of(profile));
            case ProfileChoice.Named(String id) -> {
                profiles.requireConfigured(option, id);
                yield new StandardProfile(() -> {
                    profiles.refresh();
                    return profiles.find(id).forCommands();
                });
            }
        };
    }

    private static StandardProfile fixed(CommandProfile profile) {
        return new StandardProfile(() -> profile);
    }

    /**
     * Returns the profile. Blocks, because its file may have changed.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 if the operator's file has it no more
     */
    @Override
    public CommandProfile get() {
        return current.get();
    }
}
