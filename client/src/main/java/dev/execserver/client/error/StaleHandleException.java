package dev.execserver.client.error;

/** The handle of a process was closed or detached. It never reaches another process that has the same id. */
public final class StaleHandleException extends ExecServerException {
    private static final long serialVersionUID = 1L;

    public StaleHandleException(String processId) {
        super("the handle of process " + processId + " was closed by this client");
    }
}
