package dev.execserver.server.process;

import java.util.Optional;

/**
 * How a process ended.
 *
 * @param code its exit status, or 128 + N when signal N ended it
 * @param reason why the server ended it; empty when it ended by itself or by request
 */
record Exit(int code, Optional<String> reason) {}
