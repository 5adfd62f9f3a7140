package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.Optional;

/** Decides about the programs that one command executes. */
public interface ExecPolicy {
    /**
     * Decides about one program at once, if that can be done without waiting: this saves two changes of threads. Runs on a
     * platform thread; other execs of the command may wait for it. An exception denies.
     */
    default Optional<ExecDecision> atHand(ExecRequest request) {
        return Optional.empty();
    }

    /**
     * Decides about one program that has no decision at hand. Runs on a virtual thread of its own and may wait as long as it wants; the task that asks
     * waits too, others do not. An exception denies. The thread is interrupted when the task does not wait any more.
     */
    ExecDecision decide(ExecRequest request);

    /** Tells that the task has exchanged the program or its arguments after the decision, and was killed for it. */
    default void exchanged(ExecRequest request) {}

    /** Tells that an escalated program has ended. */
    default void ended(ExecRequest request, ExitStatus status) {}
}
