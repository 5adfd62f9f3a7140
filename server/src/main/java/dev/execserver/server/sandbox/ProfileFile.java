package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.ProfileArgument;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.permissions.PermissionProfile;

/** Reads the operator's profiles from files and by name. Stateless; blocks. */
public final class ProfileFile {
    private ProfileFile() {}

    /**
     * Reads the value of an option as {@link ProfileArgument#choice} does, and looks a name up.
     *
     * @throws ConfigException also if there is no profile of this name
     */
    public static CommandProfile known(String option, String value, NamedProfiles profiles) {
        return switch (ProfileArgument.choice(option, value)) {
            case ProfileChoice.Given(PermissionProfile profile) -> CommandProfile.of(profile);
            case ProfileChoice.Named(String id) ->
                profiles.configured(option, id).forCommands();
        };
    }
}
