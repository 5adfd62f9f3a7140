package dev.execserver.cli.local;

import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads permission profiles that people have written into an option or a file. Stateless; blocks. */
public final class ProfileArgument {
    /** Longest file in bytes. Any profile that can be enforced is shorter. */
    static final int MAX_BYTES = 1 << 20;

    /** Member with rules for hosts. */
    private static final String PROXY = "networkProxy";

    private ProfileArgument() {}

    /** Returns true if a value is a file. One without a slash is the name of a profile. */
    public static boolean isFile(String value) {
        return value.contains("/") && !isInline(value);
    }

    /** Returns true if a value is a profile itself. */
    public static boolean isInline(String value) {
        return value.stripLeading().startsWith("{");
    }

    /**
     * Reads the value of a command-line option: a profile, a file with one, or the name of a profile. Only a value with a
     * slash is a file: a file of the working directory, which may be anybody's, must not stand in for a name.
     *
     * @throws ConfigException if a profile or a file cannot be read
     */
    public static ProfileChoice choice(String option, String value) {
        if (isFile(value)) {
            Path file = LocalFile.of(value);
            if (!Files.exists(file)) {
                throw failure(
                        option, file, "No such file or directory (os error 2); give a JSON object, or a file with one");
            }
            return new ProfileChoice.Given(read(option, file));
        }
        if (!isInline(value)) {
            return new ProfileChoice.Named(value);
        }
        try {
            return new ProfileChoice.Given(parse(value));
        } catch (RpcException e) {
            throw ConfigException.failure("the permission profile of " + option + " cannot be read: " + e.message());
        }
    }

    /**
     * Reads a profile from a file.
     *
     * @param option names the option in messages
     * @throws ConfigException if the file cannot be read or is no profile
     */
    public static PermissionProfile read(String option, Path file) {
        try {
            return parse(TextFile.read(file, MAX_BYTES));
        } catch (RpcException e) {
            throw failure(option, file, e.message());
        } catch (CharacterCodingException e) {
            throw failure(option, file, "it is not UTF-8");
        } catch (IOException e) {
            throw failure(option, file, FileErrors.text(e));
        }
    }

    /**
     * Reads a profile. Rules for hosts are refused, because nothing would enforce them here: only the profiles of a server's
     * {@code --profiles} have them.
     *
     * @throws RpcException if the text is not a profile
     */
    public static PermissionProfile parse(String json) {
        JsonSlice value = JsonSlice.of(json);
        PermissionProfile profile = PermissionProfile.read(value, Dialect.OPEN);
        ParamsReader in = ParamsReader.of(value, "PermissionProfile");
        while (in.next()) {
            if (in.name().equals(PROXY)) {
                throw RpcException.invalidParams(
                        "`" + PROXY + "` works only in the profiles of --profiles; put it there and give the name");
            }
        }
        return profile;
    }

    private static ConfigException failure(String option, Path file, String why) {
        return ConfigException.failure("the permission profile of " + option + " " + file + " cannot be read: " + why);
    }
}
