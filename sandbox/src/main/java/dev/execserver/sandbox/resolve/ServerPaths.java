package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of the server that no profile can open to commands.
 *
 * @param hidden files and directories that no sandboxed command may see
 * @param settings files and directories that configure the server, which no sandboxed command may change
 * @param installation files and directories that this server, its helper or the next server runs from, which no sandboxed
 *     command may change
 */
public record ServerPaths(List<LinuxPath> hidden, List<LinuxPath> settings, List<LinuxPath> installation) {
    public static final ServerPaths NOTHING = new ServerPaths(List.of(), List.of(), List.of());

    public ServerPaths {
        hidden = List.copyOf(hidden);
        settings = List.copyOf(settings);
        installation = List.copyOf(installation);
    }

    /** Returns a copy with more files that no sandboxed command may change. */
    public ServerPaths andUnwritable(List<LinuxPath> more) {
        return new ServerPaths(
                hidden, Stream.concat(settings.stream(), more.stream()).toList(), installation);
    }
}
