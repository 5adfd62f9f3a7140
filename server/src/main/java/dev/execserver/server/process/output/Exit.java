package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ExitDetails;
import java.util.Optional;

/**
 * The exit of a process.
 *
 * @param code its exit status, or 128 + N if signal N ended it
 * @param reason the reason why the server ended it; empty if it ended by itself or by request
 * @param denied true if its sandbox seems to have stopped it
 * @param details additional facts
 */
public record Exit(int code, Optional<String> reason, boolean denied, ExitDetails details) {
    /** Makes an exit without a denial and without details. */
    Exit(int code, Optional<String> reason) {
        this(code, reason, false, ExitDetails.NONE);
    }
}
