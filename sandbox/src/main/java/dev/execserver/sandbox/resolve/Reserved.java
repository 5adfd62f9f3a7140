package dev.execserver.sandbox.resolve;

import java.util.List;

/**
 * What belongs to the server and to nobody else, whatever a profile says.
 *
 * @param hidden files and directories that no sandboxed command may see
 * @param settings files that say what the server does, which no sandboxed command may change
 * @param installation files and directories that this server, its helper or the next server runs from, which no sandboxed command
 *     may change
 */
public record Reserved(List<LinuxPath> hidden, List<LinuxPath> settings, List<LinuxPath> installation) {
    public static final Reserved NOTHING = new Reserved(List.of(), List.of(), List.of());

    public Reserved {
        hidden = List.copyOf(hidden);
        settings = List.copyOf(settings);
        installation = List.copyOf(installation);
    }
}
