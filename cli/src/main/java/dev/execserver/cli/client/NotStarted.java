package dev.execserver.cli.client;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.sandbox.linux.Errno;
import java.util.OptionalInt;

/** Chooses the exit status for a program that could not be started, as a shell does. Stateless. */
final class NotStarted {
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    private static final String PROGRAM = "program";
    private static final String INTERPRETER = "interpreter";

    private NotStarted() {}

    /**
     * @param directoryGiven true if the request named a directory. Servers that send no details use the same text for a
     *     missing directory and a missing program
     */
    static int status(RequestFailedException failure, boolean directoryGiven) {
        OptionalInt errno = failure.details().errno();
        if (errno.isPresent()) {
            return switch (failure.details().what().orElse("")) {
                case PROGRAM -> errno.getAsInt() == Errno.ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
                case INTERPRETER -> NOT_EXECUTABLE;
                default -> ClientStatus.FAILURE;
            };
        }
        if (!directoryGiven && failure.serverMessage().endsWith(Errno.text(Errno.ENOENT))) {
            return NOT_FOUND;
        }
        return !directoryGiven && failure.serverMessage().endsWith(Errno.text(Errno.EACCES))
                ? NOT_EXECUTABLE
                : ClientStatus.FAILURE;
    }
}
