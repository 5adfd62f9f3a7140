package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleSet;
import dev.execserver.server.rules.RuledProgram;
import dev.execserver.server.sandbox.FloorFileCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's rules for programs, read again when their files change. Files that are no rules leave the last good ones in
 * force. A change counts when the files are the same a look later, because an editor may be writing them.
 *
 * <p>The starting thread reads first, then one look of the clock at a time; any thread gets the rules, which are replaced as a
 * whole.
 */
final class OperatorRules implements Supplier<RuleSet> {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorRules.class);
    private static final String OPTION = "--exec-rules";
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final String STAMP = "unix:ino,ctime,lastModifiedTime,size";

    private final List<Path> places;
    private volatile RuleSet rules;
    private List<State> taken; // used by one look after the other
    private List<State> seen;

    /** Marks by which one content of a file differs from another. */
    private record State(Path file, Map<String, Object> attributes) {}

    private OperatorRules(List<Path> places) {
        this.places = places;
        this.taken = states();
        this.seen = taken;
        this.rules = read(places);
    }

    /**
     * Reads the files that {@code --exec-rules} names.
     *
     * @return empty without the option
     * @throws ConfigException when one of them is no rules file, a folder has none, or other users could change one
     */
    static Optional<OperatorRules> read(ServerConfig config) {
        List<Path> places = config.paths().execRules();
        return places.isEmpty() ? Optional.empty() : Optional.of(new OperatorRules(places));
    }

    @Override
    public RuleSet get() {
        return rules;
    }

    /** Begins to look for changes. */
    void watch(Timers clock, FileWorkers files) {
        var _ = clock.after(LOOK, "exec-rules", () -> {
            try {
                files.callLong(() -> {
                    look();
                    return true;
                });
            } catch (RpcException busy) {
                LOG.debug("no look at the files of {} this time", OPTION, busy);
            } finally {
                watch(clock, files);
            }
        });
    }

    private void look() {
        List<State> now = states();
        boolean settled = now.equals(seen);
        seen = now;
        if (!settled || now.equals(taken)) {
            return;
        }
        taken = now;
        try {
            rules = read(places);
            LOG.info(
                    "the changed files of {} are in force: {} rules, and {} for connections, which hold from the next"
                            + " connection of each command on",
                    OPTION,
                    rules.rules().size(),
                    rules.network().size());
        } catch (ConfigException e) {
            LOG.warn("the rules that were read before stay in force: {}", e.getMessage());
        }
    }

    private static RuleSet read(List<Path> places) {
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
        RuleSet read = rules.rules();
        read.network()
                .forEach(rule -> rule.program().flatMap(RuledProgram::useless).ifPresent(why -> {
                    throw ConfigException.failure(OPTION + ": network_rule " + why);
                }));
        return read;
    }

    private List<State> states() {
        List<State> states = new ArrayList<>();
        for (Path place : places) {
            try {
                for (Path file : RuleFiles.inFolder(place)) {
                    states.add(new State(file, Files.readAttributes(file, STAMP)));
                }
            } catch (IOException | RuleFileException e) {
                states.add(new State(place, Map.of())); // the reader says what is wrong with it
            }
        }
        return states;
    }
}
