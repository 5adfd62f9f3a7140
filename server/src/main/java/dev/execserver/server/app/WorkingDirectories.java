package dev.execserver.server.app;

import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/**
 * Resolves working directories of commands. Touches no files.
 *
 * @param server the server's directory, at which relative paths start
 * @param home directory for which {@code ~} stands
 */
public record WorkingDirectories(PathUri server, Optional<PathUri> home) {

    /** Makes the resolver of this server. */
    public static WorkingDirectories of(EnvironmentInfo info) {
        PathUri root = PathUri.ofNative("/");
        return new WorkingDirectories(info.cwd().orElse(root), info.userHomeDir());
    }

    /** @throws RpcException -32602 for a path with a NUL or half of a surrogate pair */
    PathUri resolve(Optional<String> cwd) {
        String path = cwd.orElse("");
        if (path.isEmpty()) {
            return server;
        }
        if (home.isPresent() && (path.equals("~") || path.startsWith("~/"))) {
            return path.length() <= 2 ? home.get() : below(home.get(), path.substring(2));
        }
        return path.startsWith("/") ? PathUri.ofNative(path) : below(server, path);
    }

    private static PathUri below(PathUri base, String relative) {
        byte[] start = base.bytes();
        byte[] rest = PathUri.ofNative("/" + relative).bytes();
        byte[] joined = new byte[start.length + rest.length];
        System.arraycopy(start, 0, joined, 0, start.length);
        System.arraycopy(rest, 0, joined, start.length, rest.length);
        return PathUri.ofNative(joined);
    }
}
