package dev.execserver.sandbox.intercept;

/** The answer to an exec. All but the first two never depend on memory that the task could change after the decision. */
public sealed interface ExecDecision {
    /** The program runs in the sandbox. It is verified where the supervisor sees that the task could exchange it. */
    record Run() implements ExecDecision {}

    /** The program runs in the sandbox if its file and arguments, at its first instruction, are those that were decided. */
    record RunVerified() implements ExecDecision {}

    /** The exec fails with this error number, see errno(3). */
    record Errno(int number) implements ExecDecision {
        public Errno {
            if (number < 1 || number > 4095) {
                throw new IllegalArgumentException("not an error number: " + number);
            }
        }
    }

    /**
     * The task ends instead, as if the program had run and ended.
     *
     * @param code 0 to 255
     * @param message a line for its standard error, without the line feed; empty for none
     */
    record Exit(int code, String message) implements ExecDecision {
        public Exit {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("not an exit code: " + code);
            }
        }
    }

    /**
     * The program runs outside of the sandbox; the task waits for it and then ends as it has.
     *
     * @param environment removes what would let the sandbox reach into the program
     * @param start starts it
     * @param lastLook runs right before the start; throws {@link EscalationRefusedException} if the program may not leave the sandbox
     *     any more
     */
    record Escalate(TrustedEnvironment environment, EscalatedStart start, Runnable lastLook) implements ExecDecision {}
}
