package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.local.ProfileArgument;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.server.environment.EnvironmentProbe;
import java.nio.file.Path;

/** Reads the operator's profiles from files and by name. Stateless; blocks. */
public final class ProfileFile {
    private ProfileFile() {}

    /**
     * Reads the operator's profile. The server's working directory is its workspace.
     *
     * @throws ConfigException if it cannot be read, or if other users can change it
     */
    static FloorProfile floor(Path file) {
        FloorFileCheck.requireUnchangeable("--sandbox-floor", file);
        PathUri workspace = EnvironmentProbe.uri(LocalFile.workingDirectory());
        return new FloorProfile(file, SandboxContext.of(ProfileArgument.read("--sandbox-floor", file), workspace));
    }

    /**
     * Reads the value of an option as {@link ProfileArgument#choice} does, and looks a name up.
     *
     * @throws ConfigException also if there is no profile of this name
     */
    public static PermissionProfile known(String option, String value, NamedProfiles profiles) {
        return switch (ProfileArgument.choice(option, value)) {
            case ProfileChoice.Given(PermissionProfile profile) -> profile;
            case ProfileChoice.Named(String id) ->
                profiles.configured(option, id).profile();
        };
    }
}
