package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.ProfileFormat;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Params of {@code command/exec}. Decoding checks types; combinations and values are checked later, in the order of the
 * reference server.
 *
 * @param processId name for follow-up calls, unique on its connection while the command runs
 * @param env variables to set, or to remove if empty
 * @param cwd relative ones start at the server's directory
 * @param sandboxPolicy legacy policy, converted to a profile of the workspace that is the server's directory
 * @param permissionProfile profile of the workspace that is the command's directory
 */
public record CommandExecParams(
        List<String> command,
        Optional<String> processId,
        boolean tty,
        boolean streamStdin,
        boolean streamStdoutStderr,
        OptionalLong outputBytesCap,
        boolean disableOutputCap,
        OptionalLong timeoutMs,
        boolean disableTimeout,
        Optional<String> cwd,
        Map<String, Optional<String>> env,
        Optional<CommandSize> size,
        Optional<PermissionProfile> sandboxPolicy,
        Optional<ProfileChoice> permissionProfile)
        implements JsonWritable {

    public CommandExecParams {
        command = List.copyOf(command);
        env = Map.copyOf(env);
    }

    /** Errors are those of {@link ParamsReader}, and those of the profile and of the policy. */
    public static CommandExecParams read(JsonSlice params, Dialect dialect) {
        return CommandExecParamsReader.read(params, dialect);
    }

    /** Returns the same command with this id and these streams. */
    public CommandExecParams streaming(String id, boolean stdin, boolean stdoutStderr) {
        return new CommandExecParams(
                command,
                Optional.of(id),
                tty,
                stdin,
                stdoutStderr,
                outputBytesCap,
                disableOutputCap,
                timeoutMs,
                disableTimeout,
                cwd,
                env,
                size,
                sandboxPolicy,
                permissionProfile);
    }

    /** Writes the members that differ from their defaults. A profile that stands for a policy is written as a profile. */
    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.strings(g, "command", command);
        JsonFields.ifPresent(g, "processId", processId);
        writeFlag(g, "tty", tty);
        writeFlag(g, "streamStdin", streamStdin);
        writeFlag(g, "streamStdoutStderr", streamStdoutStderr);
        JsonFields.ifPresent(g, "outputBytesCap", outputBytesCap);
        writeFlag(g, "disableOutputCap", disableOutputCap);
        JsonFields.ifPresent(g, "timeoutMs", timeoutMs);
        writeFlag(g, "disableTimeout", disableTimeout);
        JsonFields.ifPresent(g, "cwd", cwd);
        writeEnv(g);
        if (size.isPresent()) {
            g.writeFieldName("size");
            size.get().writeTo(g);
        }
        writeProfile(g);
        g.writeEndObject();
    }

    private void writeEnv(JsonGenerator g) throws IOException {
        if (env.isEmpty()) {
            return;
        }
        g.writeObjectFieldStart("env");
        for (Map.Entry<String, Optional<String>> variable : env.entrySet()) {
            JsonFields.orNull(g, variable.getKey(), variable.getValue());
        }
        g.writeEndObject();
    }

    private void writeProfile(JsonGenerator g) throws IOException {
        Optional<ProfileChoice> choice = permissionProfile.or(() -> sandboxPolicy.map(ProfileChoice.Given::new));
        if (choice.isEmpty()) {
            return;
        }
        g.writeFieldName("permissionProfile");
        switch (choice.get()) {
            case ProfileChoice.Named(String id) -> g.writeString(id);
            case ProfileChoice.Given(PermissionProfile profile) -> profile.write(g, ProfileFormat.APP);
        }
    }

    private static void writeFlag(JsonGenerator g, String name, boolean value) throws IOException {
        if (value) {
            g.writeBooleanField(name, true);
        }
    }
}
