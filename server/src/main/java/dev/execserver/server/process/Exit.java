package dev.execserver.server.process;

import dev.execserver.protocol.process.ExitDetails;
import java.util.Optional;

/**
 * How a process ended.
 *
 * @param code its exit status, or 128 + N when signal N ended it
 * @param reason why the server ended it; empty when it ended by itself or by request
 * @param denied whether its sandbox seems to have stopped it
 * @param details what else is told of it
 */
record Exit(int code, Optional<String> reason, boolean denied, ExitDetails details) {
    /** Not denied, nothing else to tell. */
    Exit(int code, Optional<String> reason) {
        this(code, reason, false, ExitDetails.NONE);
    }
}
