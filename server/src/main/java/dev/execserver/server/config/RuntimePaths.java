package dev.execserver.server.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of the installation and of the running server. What is empty is looked for where the distribution puts it.
 *
 * @param helperJar the launcher jar that serves file operations inside a sandbox
 * @param bubblewrap the {@code bwrap} program
 * @param stateDirectory where a server keeps what must outlive a request, for example sockets and masks of sandboxes
 * @param configFile the properties file that the settings were read from
 */
public record RuntimePaths(
        Optional<Path> helperJar, Optional<Path> bubblewrap, Optional<Path> stateDirectory, Optional<Path> configFile) {
    public static final RuntimePaths DEFAULTS =
            new RuntimePaths(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public RuntimePaths {
        helperJar = helperJar.map(Path::toAbsolutePath);
        bubblewrap = bubblewrap.map(Path::toAbsolutePath);
        stateDirectory = stateDirectory.map(Path::toAbsolutePath);
        configFile = configFile.map(Path::toAbsolutePath);
    }
}
