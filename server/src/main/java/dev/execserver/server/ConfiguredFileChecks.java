package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.server.config.RuntimePaths;
import dev.execserver.server.config.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the files that a configuration names before anything is started. Stateless; used by the starting thread. */
final class ConfiguredFileChecks {

    private static final String VARIABLE = "TMPDIR";
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredFileChecks.class);

    private ConfiguredFileChecks() {}

    /** @throws ConfigException when a file cannot be used; the message names it and the option */
    static void check(ServerConfig config) {
        ControlGroupCheck.check(config);
        RuntimePaths paths = config.paths();
        paths.helperJar().ifPresent(ConfiguredFileChecks::helperJar);
        paths.bubblewrap().ifPresent(ConfiguredFileChecks::bubblewrap);
        spillDirectory(config.retention().spillDirectory());
    }

    /**
     * Checks the folder now. Otherwise the first output that needs the folder would find that out, and its process
     * would have to wait.
     */
    private static void spillDirectory(Path directory) {
        TemporaryFolder.fault(directory).ifPresent(fault -> {
            throw ConfigException.failure(
                    "--spill-dir %s %s; name a directory that the server may write".formatted(directory, fault));
        });
    }

    /**
     * Looks at what clients and profiles are told to be the folder for temporary files.
     *
     * @param environment of the server
     * @throws ConfigException when it can never be one
     */
    static void temporaryFolder(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (named.isEmpty()) {
            return;
        }
        Path folder = LocalFile.of(named);
        boolean absolute = named.startsWith("/");
        boolean there = absolute && Files.exists(folder);
        Optional<String> found = absolute ? TemporaryFolder.fault(folder) : Optional.of("is no absolute path");
        found.ifPresent(fault -> {
            String text = "the variable TMPDIR names %s, which %s; set it to a directory for temporary files, such as"
                            .formatted(named, fault)
                    + " /tmp, or unset it";
            if (there) {
                throw ConfigException.failure(text);
            }
            LOG.warn("{}", text); // the system's folder takes its place
        });
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
}
