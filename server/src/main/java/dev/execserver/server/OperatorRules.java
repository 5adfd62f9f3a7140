package dev.execserver.server;

import dev.execserver.server.config.ConfigException;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleSet;
import dev.execserver.server.sandbox.FloorFileCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the operator's rules for programs. Used by the starting thread. */
final class OperatorRules {
    private static final String OPTION = "--exec-rules";

    private OperatorRules() {}

    /**
     * Reads the files that {@code --exec-rules} names.
     *
     * @return empty without the option
     * @throws ConfigException when one of them is no rules file, a folder has none, or other users could change one
     */
    static Optional<RuleSet> read(ServerConfig config) {
        List<Path> places = config.paths().execRules();
        if (places.isEmpty()) {
            return Optional.empty();
        }
        RuleFiles rules = new RuleFiles();
        for (Path place : places) {
            try {
                List<Path> files = RuleFiles.inFolder(place);
                if (files.isEmpty()) {
                    throw ConfigException.failure("%s %s has no file *.rules".formatted(OPTION, place));
                }
                for (Path file : files) {
                    FloorFileCheck.requireUnchangeable(OPTION, file);
                    rules.add(file);
                }
            } catch (RuleFileException e) {
                throw ConfigException.failure(OPTION + ": " + e.describe());
            }
        }
        return Optional.of(rules.rules());
    }
}
