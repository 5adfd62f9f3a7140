package dev.execserver.protocol.process;

/** Names of the {@code process/*} methods and notifications. */
public final class ProcessMethodNames {

    public static final String START = "process/start";
    public static final String READ = "process/read";
    public static final String WRITE = "process/write";
    public static final String SIGNAL = "process/signal";
    public static final String TERMINATE = "process/terminate";

    /** Addition: end of file on stdin. */
    public static final String CLOSE_STDIN = "process/closeStdin";

    /** Addition: new size of the terminal. */
    public static final String RESIZE = "process/resize";

    /** Addition: the processes of the session; without params. */
    public static final String LIST = "process/list";

    /** Addition: waits for a condition of a process. */
    public static final String WAIT = "process/wait";

    /** Notification of the server. */
    public static final String OUTPUT = "process/output";

    /** Notification of the server, exactly one for each process. */
    public static final String EXITED = "process/exited";

    /** Notification of the server, exactly one for each process and always with the highest {@code seq}. */
    public static final String CLOSED = "process/closed";

    /** Request of the server to the client: asks if a command may execute a program. */
    public static final String EXEC_APPROVAL = "exec/approval";

    /** Addition: makes a right to answer the questions about programs of this session; without params. */
    public static final String EXEC_ALLOW_APPROVER = "exec/allowApprover";

    /** Addition: uses such a right, so that this connection is asked too. */
    public static final String EXEC_APPROVE = "exec/approve";

    /** Notification of the server: nobody has to answer a question any more. */
    public static final String EXEC_APPROVAL_CLOSED = "exec/approvalClosed";

    /** Notification of the server: a decision about a program that a command executes. */
    public static final String EXEC_DECIDED = "exec/decided";

    /** Notification of the server: an escalated program has ended. */
    public static final String EXEC_ENDED = "exec/ended";

    private ProcessMethodNames() {}
}
