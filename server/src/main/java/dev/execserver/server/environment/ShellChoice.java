package dev.execserver.server.environment;

import dev.execserver.protocol.environment.ShellInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the shell for which a client should write commands for this user. Only shells that clients know by name are
 * reported: a client decodes the name as a closed list, and could not write commands for fish or nologin.
 */
final class ShellChoice {
    private static final Set<String> KNOWN_NAMES = Set.of("bash", "zsh", "sh");
    private static final String LAST_RESORT = "/bin/sh";

    private ShellChoice() {}

    /**
     * Returns the shell of the variable or of passwd, the first of them that exists and is known; else bash, else sh.
     */
    static ShellInfo of(Optional<String> variable, Optional<String> passwd) {
        return Stream.of(variable, passwd, Optional.of("/bin/bash"))
                .flatMap(Optional::stream)
                .filter(ShellChoice::usable)
                .map(path -> new ShellInfo(baseName(path), path))
                .findFirst()
                .orElseGet(() -> new ShellInfo(baseName(LAST_RESORT), LAST_RESORT));
    }

    private static boolean usable(String path) {
        return path.startsWith("/") && KNOWN_NAMES.contains(baseName(path)) && Files.isExecutable(Path.of(path));
    }

    private static String baseName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
