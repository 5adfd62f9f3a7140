package dev.execserver.cli.client;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.sandbox.linux.Errno;
import java.util.OptionalInt;
import java.util.Set;

/** Chooses the exit status for a program that could not be started, as a shell does. Stateless. */
final class NotStarted {
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;

    /** Words that only a shell knows. */
    private static final Set<String> OF_A_SHELL = Set.of(
            "cd", "export", "source", ".", "alias", "set", "unset", "ulimit", "umask", "exec", "eval", "if", "for",
            "while");

    private static final String PROGRAM = "program";
    private static final String INTERPRETER = "interpreter";

    private NotStarted() {}

    /** Returns what a person may have meant who has written a line for a shell; empty for other failures. */
    static String hint(RequestFailedException failure, RunRequest request) {
        String word = request.argv().getFirst();
        if (status(failure, request.cwd().isPresent()) != NOT_FOUND
                || !(OF_A_SHELL.contains(word) || isLine(request))) {
            return "";
        }
        return "; a line for a shell is written: exec-server run --shell '...', or sh -c '...'";
    }

    private static boolean isLine(RunRequest request) {
        return request.argv().size() == 1
                && request.argv().getFirst().chars().anyMatch(octet -> " ;|&<>$*`\n".indexOf(octet) >= 0);
    }

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
