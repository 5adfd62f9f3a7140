package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.define;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.rights.CommandBounds;
import dev.execserver.server.rights.LimitName;
import dev.execserver.server.rights.LimitSet;

/** Options of the limits that all commands have, for {@link Options}. */
final class LimitOptions {
    private static final String PLACEHOLDER = "LIMIT=VALUE,...";

    static final Option<LimitSet> DEFAULT_LIMITS = define(
            "default-limits",
            LimitValues.OF_COMMANDS,
            PLACEHOLDER,
            LimitSet.NONE,
            "Limits of a command that asks for none: `pids`, `memoryBytes`, `cpuSeconds`, `openFiles`, `fileSizeBytes`, `timeoutMs`.");
    static final Option<LimitSet> MAX_LIMITS = define(
            "max-limits",
            LimitValues.OF_COMMANDS,
            PLACEHOLDER,
            LimitSet.NONE,
            "The most that a command may have of each; one that asks for more is refused, one that asks for nothing gets the default,"
                    + " or else this.");
    static final Option<LimitSet> SESSION_LIMITS = define(
            "session-limits",
            LimitValues.TOGETHER,
            PLACEHOLDER,
            LimitSet.NONE,
            "The most that all commands of a session may have together: `pids`, `memoryBytes`.");
    static final Option<LimitSet> SERVER_LIMITS = define(
            "server-limits",
            LimitValues.TOGETHER,
            PLACEHOLDER,
            LimitSet.NONE,
            "The most that all commands of the server may have together: `pids`, `memoryBytes`.");
    static final Option<Long> SPILL_FREE_BYTES = define(
            "spill-free-bytes",
            new ValueType.Size(0, Limits.LARGEST_BYTES),
            "SIZE",
            Retention.DEFAULT_SPILL_FREE_BYTES,
            "Space that spill files leave free on their file system; below it, output waits in memory and then in its program.");

    private LimitOptions() {}

    static CommandBounds assemble(Settings settings) {
        LimitSet defaults = settings.value(DEFAULT_LIMITS);
        LimitSet maxima = settings.value(MAX_LIMITS);
        for (LimitName name : LimitName.values()) {
            if (maxima.get(name).isPresent()
                    && defaults.get(name).orElse(0) > maxima.get(name).getAsLong()) {
                throw ConfigException.usage("%s of --default-limits, %s, must not exceed that of --max-limits, %s"
                        .formatted(name.member(), settings.describe(DEFAULT_LIMITS), settings.describe(MAX_LIMITS)));
            }
        }
        return new CommandBounds(defaults, maxima, settings.value(SESSION_LIMITS), settings.value(SERVER_LIMITS));
    }
}
