package dev.execserver.server;

import dev.execserver.server.config.ConfigException;
import dev.execserver.server.config.FileErrors;
import dev.execserver.server.config.RuntimePaths;
import dev.execserver.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Checks the files that a configuration names before anything is started. Stateless; used by the starting thread. */
final class StartChecks {

    private StartChecks() {}

    /** @throws ConfigException when a file cannot be used; the message names it and the option */
    static void check(ServerConfig config) {
        RuntimePaths paths = config.paths();
        paths.helperJar().ifPresent(StartChecks::helperJar);
        paths.bubblewrap().ifPresent(StartChecks::bubblewrap);
        paths.stateDirectory().ifPresent(StartChecks::stateDirectory);
        spillDirectory(config.retention().spillDirectory());
    }

    /**
     * Checks the folder now. Otherwise the first output that needs the folder would find that out, and its process
     * would have to wait.
     */
    private static void spillDirectory(Path directory) {
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw ConfigException.failure(
                    "--spill-dir %s is no directory that the server may write; name one that is".formatted(directory));
        }
    }

    private static void helperJar(Path jar) {
        if (!Files.isRegularFile(jar) || !Files.isReadable(jar)) {
            throw ConfigException.failure(
                    "--helper-jar %s is no file that can be read; name the helper.jar of the distribution, or leave the option out"
                            .formatted(jar));
        }
    }

    /**
     * Checks that the file is a program. If it is no bubblewrap, its trial finds that out, and sandboxed requests are
     * refused.
     */
    private static void bubblewrap(Path program) {
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw ConfigException.failure(
                    "--bwrap %s is no program that can be run; name a bubblewrap, or leave the option out"
                            .formatted(program));
        }
    }

    /** Makes the folder so that no other user can read it. A folder that exists keeps its mode. */
    private static void stateDirectory(Path directory) {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw ConfigException.failure(
                    "--state-dir %s cannot be made: %s; name a directory, or a path where the server's user can make one"
                            .formatted(directory, FileErrors.text(e)));
        }
    }
}
