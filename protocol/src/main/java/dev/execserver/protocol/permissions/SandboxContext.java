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
 * The {@code sandbox} member of requests. Shapes of older releases have become a profile on reading: a legacy policy was
 * converted, additional permissions were applied.
 *
 * @param cwd directory that relative patterns start at; empty for the one of the request, where it has one
 * @param workspaceRoots what {@code project_roots} stands for; without any, such entries grant nothing
 * @param userHomeDir what {@code ~} stands for in patterns; empty for the home of the environment
 * @param temporaryDirectories as it came; without effect, as in the reference: TMPDIR of the environment counts
 * @param windowsSandboxLevel without effect here
 * @param useLegacyLandlock whether the Landlock backend is asked for
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

    /** What clients on Linux send. */
    public static final String NO_WINDOWS_SANDBOX = "disabled";

    public SandboxContext {
        workspaceRoots = List.copyOf(workspaceRoots);
    }

    /** A context with one workspace root, which is the directory of the policy too. */
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
     * Reads the object of any release: {@code permissions}, or in the open dialect {@code sandboxPolicy} and what went with
     * it.
     *
     * @throws RpcException invalid params; the text names the member and what was expected, {@code data.member} its place
     */
    public static SandboxContext read(JsonSlice value, Dialect dialect) {
        try {
            return SandboxContextReader.read(value, dialect);
        } catch (RpcException e) {
            throw Member.located(e);
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
