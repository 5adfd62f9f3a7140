package dev.execserver.protocol.process;

/**
 * Names in {@code features} for additions to params and results of a {@code process/*} method or of an exit. A method that is an addition has its own name as
 * its feature.
 */
public final class ProcessFeatures {

    /** Addition: {@code process/signal} to the job in the foreground of the terminal. */
    public static final String FOREGROUND = "foreground";

    /** Addition: first size of the terminal. */
    public static final String SIZE = "size";

    /** Addition: limit of the whole time of a process. */
    public static final String TIMEOUT = "timeoutMs";

    /** Addition: limit of the time without output. */
    public static final String IDLE_TIMEOUT = "idleTimeoutMs";

    /** Addition: limit of the time between the exit and the close. */
    public static final String CLOSE_GRACE = "closeGraceMs";

    /** Addition: a start without pushed events. */
    public static final String PUSH = "push";

    /** Addition: limits of memory, processor and number of processes. */
    public static final String LIMITS = "limits";

    /** Addition: rules for the programs of a command. */
    public static final String EXEC_POLICY = "execPolicy";

    /** Addition: time between SIGTERM and SIGKILL of {@code process/terminate}. */
    public static final String GRACE = "graceMs";

    /** Addition: name of the sandbox in the answer to a start. */
    public static final String SANDBOX_BACKEND = "sandboxBackend";

    /** Addition: reason, denials and usage in {@code process/exited}. */
    public static final String EXIT_DETAILS = "exitDetails";

    private ProcessFeatures() {}
}
