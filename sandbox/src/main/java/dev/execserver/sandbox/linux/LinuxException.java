package dev.execserver.sandbox.linux;

/**
 * A system call that failed, with its name, its object and the error number of errno(3). Unchecked, because most callers can
 * only pass it on. The message reads {@code openat /x: No such file or directory (os error 2)}.
 */
public final class LinuxException extends RuntimeException {
    private final String call;
    private final String object;
    private final int errno;

    /**
     * Makes the exception of a failed call.
     *
     * @param object path, descriptor or process of the call; empty if there is none
     */
    public LinuxException(String call, String object, int errno) {
        super((object.isEmpty() ? call : call + " " + object) + ": " + Errno.text(errno));
        this.call = call;
        this.object = object;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public String object() {
        return object;
    }

    public int errno() {
        return errno;
    }
}
