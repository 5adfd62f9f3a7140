package dev.execserver.client.process;

import java.util.Optional;

/** How a process ended. */
public sealed interface Outcome {

    /**
     * It exited.
     *
     * @param exitCode exit status; 128+N after signal N (1 for a process on a terminal); -1 when it cannot be learned
     * @param reason why, when the server ended it: {@code timeout}, {@code idle}, ...
     */
    record Exited(int exitCode, Optional<String> reason) implements Outcome {}

    /**
     * It exited and the server thinks that its sandbox has kept it from doing its work. A caller may ask for approval and
     * start it again without the sandbox. It is a guess from exit code and output.
     *
     * @param exitCode as in {@link Exited}
     */
    record SandboxDenied(int exitCode) implements Outcome {}

    /** The connection or the session was lost for good before the exit was known. */
    record Lost(String reason) implements Outcome {}
}
