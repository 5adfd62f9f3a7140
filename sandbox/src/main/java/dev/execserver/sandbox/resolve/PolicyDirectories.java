package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the names in a profile stand for in one request.
 *
 * @param cwd directory that relative patterns start at
 * @param workspaceRoots what {@code project_roots} stands for
 * @param tmpdir what TMPDIR names in the environment of the command; empty unless that is an absolute path
 * @param home what {@code ~} stands for in patterns
 */
public record PolicyDirectories(
        Optional<LinuxPath> cwd, List<LinuxPath> workspaceRoots, Optional<LinuxPath> tmpdir, Optional<LinuxPath> home) {
    public PolicyDirectories {
        workspaceRoots = List.copyOf(workspaceRoots);
    }

    /**
     * The directories of a request.
     *
     * @param requestCwd working directory of the command; counts where the context has none
     * @param environment of the command, for TMPDIR and HOME
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
