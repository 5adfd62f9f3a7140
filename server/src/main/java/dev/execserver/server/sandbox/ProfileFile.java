package dev.execserver.server.sandbox;

import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.config.ConfigException;
import dev.execserver.server.config.FileErrors;
import dev.execserver.server.config.LocalFile;
import dev.execserver.server.config.Mcp;
import dev.execserver.server.environment.EnvironmentProbe;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads permission profiles that people have written to files. Stateless; blocks. */
public final class ProfileFile {
    /** Longest file in bytes. Any profile that can be enforced is shorter. */
    static final int MAX_BYTES = 1 << 20;

    private ProfileFile() {}

    /**
     * Reads the operator's profile. The server's working directory is its workspace.
     *
     * @throws ConfigException if it cannot be read, or if other users can change it
     */
    static FloorProfile floor(Path file) {
        FloorFileCheck.requireUnchangeable("--sandbox-floor", file);
        PathUri workspace = EnvironmentProbe.uri(LocalFile.workingDirectory());
        return new FloorProfile(file, SandboxContext.of(profile("--sandbox-floor", file), workspace));
    }

    /**
     * Reads the value of a command-line option: a profile, a file with one, or the name of a profile. Only a value with a
     * slash is a file: a file of the working directory, which may be anybody's, must not stand in for a name.
     *
     * @throws ConfigException if a profile or a file cannot be read
     */
    public static ProfileChoice choice(String option, String value) {
        if (Mcp.file(value)) {
            Path file = LocalFile.of(value);
            if (!Files.exists(file)) {
                throw failure(
                        option, file, "No such file or directory (os error 2); give a JSON object, or a file with one");
            }
            return new ProfileChoice.Given(profile(option, file));
        }
        if (!Mcp.inline(value)) {
            return new ProfileChoice.Named(value);
        }
        try {
            return new ProfileChoice.Given(profile(value));
        } catch (RpcException e) {
            throw ConfigException.failure("the permission profile of " + option + " cannot be read: " + e.message());
        }
    }

    /**
     * Does the same as {@link #choice}, and looks a name up.
     *
     * @throws ConfigException also if there is no profile of this name
     */
    public static PermissionProfile known(String option, String value, NamedProfiles profiles) {
        return switch (choice(option, value)) {
            case ProfileChoice.Given(PermissionProfile profile) -> profile;
            case ProfileChoice.Named(String id) ->
                profiles.configured(option, id).profile();
        };
    }

    /** @param option names the option in messages */
    public static PermissionProfile profile(String option, Path file) {
        try {
            if (!Files.isRegularFile(file) && Files.exists(file)) {
                throw failure(option, file, "it is no regular file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw failure(option, file, "it has more than " + MAX_BYTES + " bytes");
            }
            return profile(Files.readString(file));
        } catch (RpcException e) {
            throw failure(option, file, e.message());
        } catch (CharacterCodingException e) {
            throw failure(option, file, "it is not UTF-8");
        } catch (IOException e) {
            throw failure(option, file, FileErrors.text(e));
        }
    }

    /** @throws RpcException if the text is not a profile */
    public static PermissionProfile profile(String json) {
        return PermissionProfile.read(JsonSlice.of(json), Dialect.OPEN);
    }

    private static ConfigException failure(String option, Path file, String why) {
        return ConfigException.failure("the permission profile of " + option + " " + file + " cannot be read: " + why);
    }
}
