package dev.execserver.client.process;

import dev.execserver.protocol.process.Denial;
import dev.execserver.protocol.process.ExitDetails;
import java.util.Optional;

/** How a process ended. */
public sealed interface Outcome {

    /**
     * It exited.
     *
     * @param exitCode exit status; 128+N after signal N (1 for a process on a terminal); -1 when it cannot be learned
     * @param reason why, when the server ended it: {@code timeout}, {@code idle}, ...
     * @param details what else servers with the feature {@code exitDetails} say: time and memory used, and the like
     */
    record Exited(int exitCode, Optional<String> reason, ExitDetails details) implements Outcome {

        /** Without details. */
        public Exited(int exitCode, Optional<String> reason) {
            this(exitCode, reason, ExitDetails.NONE);
        }
    }

    /**
     * It exited and the server thinks that its sandbox has kept it from doing its work. A caller may ask for approval and
     * start it again without the sandbox. It is a guess from exit code and output.
     *
     * @param exitCode as in {@link Exited}
     * @param details as in {@link Exited}
     */
    record SandboxDenied(int exitCode, ExitDetails details) implements Outcome {

        /** Without details. */
        public SandboxDenied(int exitCode) {
            this(exitCode, ExitDetails.NONE);
        }

        /** What it was kept from, where the server knows: what to ask a person about. */
        public Optional<Denial> denial() {
            return details.denial();
        }
    }

    /** The connection or the session was lost for good before the exit was known. */
    record Lost(String reason) implements Outcome {}
}
