package dev.execserver.cli.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Place of the user's file of servers, which names programs that client commands run. Servers keep sandboxed commands from changing it.
 * Stateless.
 */
public final class ServersPlace {
    private ServersPlace() {}

    /** Returns the place, as the XDG Base Directory Specification has it; empty without a home directory. Touches no files. */
    public static Optional<Path> of(Map<String, String> environment) {
        Optional<String> folder = Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                .filter(text -> text.startsWith("/"))
                .or(() -> Optional.ofNullable(environment.get("HOME"))
                        .filter(text -> text.startsWith("/"))
                        .map(home -> home + "/.config"));
        return folder.map(text -> LocalFile.of(text + "/exec-server/config"));
    }
}
