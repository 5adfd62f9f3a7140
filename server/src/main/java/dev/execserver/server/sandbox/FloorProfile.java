package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.local.ProfileArgument;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.server.environment.EnvironmentProbe;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The operator's profile. It is read at the start only: a later change of its file, which a command without a sandbox could make,
 * does not weaken the running server.
 *
 * @param source the file that it was read from; empty for text and for built-in profiles
 * @param context the profile, with the server's working directory as its workspace
 */
public record FloorProfile(Optional<Source> source, SandboxContext context) {
    private static final String OPTION = "--sandbox-floor";

    /**
     * A file with the profile.
     *
     * @param option names the file
     * @param file absolute, as the operator has written it
     */
    record Source(String option, Path file) {
        LinuxPath path() {
            return LinuxPath.of(file.toString());
        }
    }

    /**
     * Reads the operator's profile.
     *
     * @param value JSON, a file, or the name of a profile
     * @throws ConfigException if it cannot be read, or if other users can change it
     */
    static FloorProfile of(String value, NamedProfiles profiles) {
        Optional<Path> file = Optional.of(value)
                .filter(ProfileArgument::isFile)
                .map(LocalFile::of)
                .map(Path::toAbsolutePath);
        file.ifPresent(path -> FloorFileCheck.requireUnchangeable(OPTION, path));
        PathUri workspace = EnvironmentProbe.uri(LocalFile.workingDirectory());
        return switch (file.<ProfileChoice>map(path -> new ProfileChoice.Given(ProfileArgument.read(OPTION, path)))
                .orElseGet(() -> ProfileArgument.choice(OPTION, value))) {
            case ProfileChoice.Given(PermissionProfile profile) ->
                new FloorProfile(file.map(path -> new Source(OPTION, path)), SandboxContext.of(profile, workspace));
            case ProfileChoice.Named(String id) -> {
                NamedProfile named = profiles.fixed(OPTION, id);
                if (named.proxy().isPresent()) {
                    throw ConfigException.failure(
                            OPTION + ": the profile `" + id
                                    + "` has rules for hosts, which a floor cannot have; name one whose network is enabled or not");
                }
                yield new FloorProfile(
                        profiles.fileOf(id).map(path -> new Source(ProfilesFile.OPTION, path)),
                        SandboxContext.of(named.profile(), workspace));
            }
        };
    }
}
