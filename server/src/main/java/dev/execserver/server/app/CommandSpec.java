package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.CommandSize;
import dev.execserver.protocol.paths.PathUri;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A checked command of either family.
 *
 * @param id that the client has chosen
 * @param env variables to set, or to remove if empty
 * @param streamStdin true if follow-up calls may write; always on a terminal
 * @param streamOutput true if output is sent as it comes; always on a terminal
 * @param cap bytes of each stream; empty for no cap
 * @param timeoutMs empty for no limit
 * @param usualTimeout true if the client has named no time limit
 */
record CommandSpec(
        CommandFamily family,
        Optional<String> id,
        List<String> argv,
        PathUri cwd,
        Map<String, Optional<String>> env,
        boolean tty,
        boolean streamStdin,
        boolean streamOutput,
        OptionalLong cap,
        OptionalLong timeoutMs,
        boolean usualTimeout,
        Optional<CommandSize> size,
        Confinement confinement) {

    /** Returns the same command whose output, also that of a terminal, is sent as it comes or kept for the answer. */
    CommandSpec streamingOutput(boolean streams) {
        return new CommandSpec(
                family, id, argv, cwd, env, tty, streamStdin, streams, cap, timeoutMs, usualTimeout, size, confinement);
    }

    CommandWords words() {
        return CommandWords.of(family);
    }
}
