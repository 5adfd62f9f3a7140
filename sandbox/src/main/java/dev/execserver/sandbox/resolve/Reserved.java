package dev.execserver.sandbox.resolve;

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
public record Reserved(List<LinuxPath> hidden, List<LinuxPath> settings, List<LinuxPath> installation) {
    public static final Reserved NOTHING = new Reserved(List.of(), List.of(), List.of());

    public Reserved {
        hidden = List.copyOf(hidden);
        settings = List.copyOf(settings);
        installation = List.copyOf(installation);
    }

    /** Returns a copy with more files that no sandboxed command may change. */
    public Reserved andUnwritable(List<LinuxPath> more) {
        return new Reserved(
                hidden, Stream.concat(settings.stream(), more.stream()).toList(), installation);
    }
}
