package dev.execserver.sandbox.outcome;

/** A change of the files between the resolution of the policy and the start. A new resolution may help. */
public final class FilesChangedException extends RuntimeException {
    /** Number of attempts. Files may change between the look and the start; if they change each time, the start fails. */
    public static final int ATTEMPTS = 5;

    public FilesChangedException(String message) {
        super(message);
    }
}
