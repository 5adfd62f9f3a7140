package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of the server that no profile can open to commands.
 *
 * @param hidden files and directories that no sandboxed command may see
 * @param settings files and directories that configure the server, which no sandboxed command may change, nor make where they are missing
 * @param installation files and directories that this server, its helper or the next server runs from, which no sandboxed
 *     command may change
 * @param folders directories that hold nothing else, unless the profile names them
 */
public record ServerPaths(
        List<LinuxPath> hidden, List<LinuxPath> settings, List<LinuxPath> installation, Folders folders) {
    public static final ServerPaths NOTHING = new ServerPaths(List.of(), List.of(), List.of());

    /**
     * Directories that hold nothing but files of the server. The mask of a file is on the file, so one that takes its place by a
     * rename has none in the commands that run; in a directory that is masked it has.
     *
     * @param hidden those with a secret
     * @param settings all others
     */
    public record Folders(List<LinuxPath> hidden, List<LinuxPath> settings) {
        public static final Folders NONE = new Folders(List.of(), List.of());

        public Folders {
            hidden = List.copyOf(hidden);
            settings = List.copyOf(settings);
        }
    }

    public ServerPaths {
        hidden = List.copyOf(hidden);
        settings = List.copyOf(settings);
        installation = List.copyOf(installation);
    }

    public ServerPaths(List<LinuxPath> hidden, List<LinuxPath> settings, List<LinuxPath> installation) {
        this(hidden, settings, installation, Folders.NONE);
    }

    /** Returns a copy with more files that no sandboxed command may change. */
    public ServerPaths andUnwritable(List<LinuxPath> more) {
        return new ServerPaths(
                hidden, Stream.concat(settings.stream(), more.stream()).toList(), installation, folders);
    }
}
