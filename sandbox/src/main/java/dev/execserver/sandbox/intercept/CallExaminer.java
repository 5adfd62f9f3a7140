package dev.execserver.sandbox.intercept;

/** Examines system calls of one command that wait for a decision. */
@FunctionalInterface
public interface CallExaminer {
    /** The platform threads of the command. */
    interface Workers {
        /** Runs work that may block for a moment; false if the server has no thread left. Virtual threads only: it may wait. */
        boolean run(Runnable work);
    }

    /**
     * Examines a call, on a platform thread that other calls of the command wait for. Claims the call before it answers. Runs
     * {@code done} once, when it is answered.
     */
    void examine(PendingCall call, Workers workers, Runnable done);
}
