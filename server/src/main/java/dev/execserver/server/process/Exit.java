package dev.execserver.server.process;

import java.util.Optional;

/**
 * How a process ended.
 *
 * @param code its exit status, or 128 + N when signal N ended it
 * @param reason why the server ended it; empty when it ended by itself or by request
 * @param denied whether its sandbox seems to have stopped it
 */
record Exit(int code, Optional<String> reason, boolean denied) {
    /** Not denied. */
    Exit(int code, Optional<String> reason) {
        this(code, reason, false);
    }
}
