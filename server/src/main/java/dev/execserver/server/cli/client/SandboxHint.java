package dev.execserver.server.cli.client;

import dev.execserver.client.error.RequestFailedException;
import java.util.Optional;

/** What helps when the server asks for a sandbox. Its own words are for clients of every kind. Stateless. */
public final class SandboxHint {
    private static final Optional<String> FLOOR = Optional.of("sandboxFloor");

    private SandboxHint() {}

    /** The remedy when the refusal comes from the operator's floor, else nothing. */
    public static String of(RequestFailedException refusal, String remedy) {
        return refusal.reason().equals(FLOOR) ? remedy : "";
    }
}
