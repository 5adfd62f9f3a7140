package dev.execserver.server.cli.client;

import dev.execserver.client.error.RequestFailedException;
import java.util.Optional;

/**
 * Adds advice to the error of a server that requires a sandbox, because the server's text is for clients of every kind.
 * Stateless.
 */
public final class FloorRefusalHint {
    private static final Optional<String> FLOOR = Optional.of("sandboxFloor");

    private FloorRefusalHint() {}

    /** Returns the remedy if the operator's floor caused the refusal, else an empty text. */
    public static String of(RequestFailedException refusal, String remedy) {
        return refusal.reason().equals(FLOOR) ? remedy : "";
    }
}
