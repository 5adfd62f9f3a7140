package dev.execserver.client.error;

/** Reports that the process takes no input: it was started without a stdin, its stdin was closed, or it is gone. */
public final class StdinClosedException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public StdinClosedException(String processId, String status) {
        super("process " + processId + " takes no input: " + status);
    }
}
