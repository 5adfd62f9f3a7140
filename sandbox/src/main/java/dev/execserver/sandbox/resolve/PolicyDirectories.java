package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directories that the names in a profile stand for in one request.
 *
 * @param cwd start of relative patterns
 * @param workspaceRoots the directories of {@code project_roots}
 * @param tmpdir TMPDIR in the environment of the command; empty unless it is an absolute path
 * @param home the directory of {@code ~} in patterns
 */
public record PolicyDirectories(
        Optional<LinuxPath> cwd, List<LinuxPath> workspaceRoots, Optional<LinuxPath> tmpdir, Optional<LinuxPath> home) {
    public PolicyDirectories {
        workspaceRoots = List.copyOf(workspaceRoots);
    }

    /**
     * Returns the directories of a request.
     *
     * @param requestCwd working directory of the command; used if the context has none
     * @param environment environment of the command, for TMPDIR and HOME
     */
    public static PolicyDirectories of(
            SandboxContext context, Optional<PathUri> requestCwd, Map<String, String> environment) {
        return new PolicyDirectories(
                context.cwd().or(() -> requestCwd).map(PolicyDirectories::path),
                context.workspaceRoots().stream().map(PolicyDirectories::path).toList(),
                absolute(environment.get("TMPDIR")),
                context.userHomeDir().map(PolicyDirectories::path).or(() -> absolute(environment.get("HOME"))));
    }

    private static LinuxPath path(PathUri path) {
        return LinuxPath.of(path.bytes());
    }

    private static Optional<LinuxPath> absolute(String pathOrNull) {
        return Optional.ofNullable(pathOrNull)
                .filter(path -> path.startsWith("/") && path.indexOf('\0') < 0)
                .map(LinuxPath::of);
    }
}
