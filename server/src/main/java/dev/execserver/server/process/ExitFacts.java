package dev.execserver.server.process;

import dev.execserver.protocol.process.ExitDetails;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The end of a process, for the access log.
 *
 * @param code its exit status, or 128 + N if signal N ended it
 * @param reason the reason why the server ended it; empty if it ended by itself or by request
 * @param denied true if its sandbox seems to have stopped it
 * @param outputBytes bytes that it has written so far; descendants may write more
 * @param duration time since its start was requested
 */
public record ExitFacts(
        String processId,
        OptionalLong pid,
        int code,
        Optional<String> reason,
        boolean denied,
        ExitDetails details,
        long outputBytes,
        Duration duration) {}
