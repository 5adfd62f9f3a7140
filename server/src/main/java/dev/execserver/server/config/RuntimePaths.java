package dev.execserver.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files of the installation and of the running server. If a path is empty, the place in the distribution is used.
 *
 * @param helperJar the launcher jar that serves file operations inside a sandbox
 * @param bubblewrap the {@code bwrap} program
 * @param stateDirectory folder for data that must outlive a request, such as sockets and masks of sandboxes
 * @param configFile the properties file that the settings were read from
 * @param execRules files, and folders of files, with rules for programs
 * @param profiles file with the permission profiles that clients can name
 * @param defaultProfile name of the profile of commands that name none
 */
public record RuntimePaths(
        Optional<Path> helperJar,
        Optional<Path> bubblewrap,
        Optional<Path> stateDirectory,
        Optional<Path> configFile,
        List<Path> execRules,
        Optional<Path> profiles,
        String defaultProfile) {
    /** Profile of commands that name none, if the operator names none either. */
    public static final String DEFAULT_PROFILE = ":read-only";

    public static final RuntimePaths DEFAULTS =
            new RuntimePaths(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Makes paths without rules for programs. */
    public RuntimePaths(
            Optional<Path> helperJar,
            Optional<Path> bubblewrap,
            Optional<Path> stateDirectory,
            Optional<Path> configFile) {
        this(helperJar, bubblewrap, stateDirectory, configFile, List.of(), Optional.empty(), DEFAULT_PROFILE);
    }

    public RuntimePaths {
        helperJar = helperJar.map(Path::toAbsolutePath);
        bubblewrap = bubblewrap.map(Path::toAbsolutePath);
        stateDirectory = stateDirectory.map(Path::toAbsolutePath);
        configFile = configFile.map(Path::toAbsolutePath);
        profiles = profiles.map(Path::toAbsolutePath);
        execRules = execRules.stream().map(Path::toAbsolutePath).toList();
    }
}
