package dev.execserver.client.process;

import dev.execserver.protocol.process.Denial;
import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.text.VisibleText;
import java.util.Optional;

/** End of a process. */
public sealed interface Outcome {

    /**
     * The process exited.
     *
     * @param exitCode exit status; 128+N after signal N (1 for a process on a terminal); -1 if it cannot be found out
     * @param reason reason why the server ended it, if it did: {@code timeout}, {@code idle}, ...
     * @param details further data of servers with the feature {@code exitDetails}: time and memory used, and the like
     */
    record Exited(int exitCode, Optional<String> reason, ExitDetails details) implements Outcome {

        /** Makes an outcome without details. */
        public Exited(int exitCode, Optional<String> reason) {
            this(exitCode, reason, ExitDetails.NONE);
        }
    }

    /**
     * The process exited, and the server thinks that its sandbox prevented its work. A caller may ask for approval and
     * start it again without the sandbox. The server guesses from exit code and output.
     *
     * @param exitCode as in {@link Exited}
     * @param details as in {@link Exited}
     */
    record SandboxDenied(int exitCode, ExitDetails details) implements Outcome {

        /** Makes an outcome without details. */
        public SandboxDenied(int exitCode) {
            this(exitCode, ExitDetails.NONE);
        }

        /** Returns the denied action, if the server knows it, so that a person can be asked about it. */
        public Optional<Denial> denial() {
            return details.denial();
        }
    }

    /**
     * The connection or the session was lost for good before the exit was known.
     *
     * @param reason one line without control characters; may repeat words of the server
     */
    record Lost(String reason) implements Outcome {

        public Lost {
            reason = VisibleText.oneLine(reason);
        }
    }
}
