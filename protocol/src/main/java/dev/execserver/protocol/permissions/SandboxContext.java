package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The {@code sandbox} member of requests. Forms of older releases were converted to a profile when they were read: a
 * legacy policy was translated, additional permissions were applied.
 *
 * @param cwd directory that relative patterns start at; empty for the directory of the request, if it has one
 * @param workspaceRoots directories for which {@code project_roots} stands; without any, such entries grant nothing
 * @param userHomeDir directory for which {@code ~} stands in patterns; empty for the home of the environment
 * @param temporaryDirectories as received; without effect, as in the reference server, which uses TMPDIR of the
 *     environment
 * @param windowsSandboxLevel without effect here
 * @param useLegacyLandlock true if the Landlock backend is requested
 */
public record SandboxContext(
        PermissionProfile permissions,
        Optional<PathUri> cwd,
        List<PathUri> workspaceRoots,
        Optional<PathUri> userHomeDir,
        Optional<List<PathUri>> temporaryDirectories,
        String windowsSandboxLevel,
        boolean useLegacyLandlock)
        implements JsonWritable {

    /** Value that clients on Linux send. */
    public static final String NO_WINDOWS_SANDBOX = "disabled";

    public SandboxContext {
        workspaceRoots = List.copyOf(workspaceRoots);
    }

    /** Makes a context with one workspace root, which is the directory of the policy too. */
    public static SandboxContext of(PermissionProfile permissions, PathUri workspace) {
        return new SandboxContext(
                permissions,
                Optional.of(workspace),
                List.of(workspace),
                Optional.empty(),
                Optional.empty(),
                NO_WINDOWS_SANDBOX,
                false);
    }

    /**
     * Reads the object of any release: {@code permissions}, or in the open dialect {@code sandboxPolicy} with its
     * related members.
     *
     * @throws RpcException invalid params; the text names the member and the expected value; {@code data.member} is
     *     the path of the member
     */
    public static SandboxContext read(JsonSlice value, Dialect dialect) {
        try {
            return SandboxContextReader.read(value, dialect, Optional.empty());
        } catch (RpcException e) {
            throw MemberPath.located(e);
        }
    }

    /** Does the same for an object whose profile is known from elsewhere. */
    public static SandboxContext read(JsonSlice value, Dialect dialect, PermissionProfile profile) {
        try {
            return SandboxContextReader.read(value, dialect, Optional.of(profile));
        } catch (RpcException e) {
            throw MemberPath.located(e);
        }
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeFieldName("permissions");
        permissions.writeTo(g);
        if (cwd.isPresent()) {
            g.writeStringField("cwd", cwd.get().toUri());
        }
        writeUris(g, "workspaceRoots", workspaceRoots);
        if (userHomeDir.isPresent()) {
            g.writeStringField("userHomeDir", userHomeDir.get().toUri());
        }
        if (temporaryDirectories.isPresent()) {
            writeUris(g, "temporaryDirectories", temporaryDirectories.get());
        }
        g.writeStringField("windowsSandboxLevel", windowsSandboxLevel);
        g.writeBooleanField("useLegacyLandlock", useLegacyLandlock);
        g.writeEndObject();
    }

    private static void writeUris(JsonGenerator g, String name, List<PathUri> paths) throws IOException {
        g.writeArrayFieldStart(name);
        for (PathUri path : paths) {
            g.writeString(path.toUri());
        }
        g.writeEndArray();
    }
}
