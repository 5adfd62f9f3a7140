package dev.execserver.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Detects that this program was started with a closed standard stream. The kernel gives the stream's number to the next
 * file that is opened: one of the JVM's own or, later, the socket of a client. Data read from it would be taken for
 * input, and output written to it would reach that client. Reads proc(5); used before anything else.
 */
public final class ClosedStreams {
    private static final List<String> NAMES = List.of("standard input", "standard output", "standard error");
    private static final String FLAGS = "flags:";
    private static final int OCTAL = 8;

    /** O_CLOEXEC as proc(5) shows it. A descriptor that was inherited over an execve(2) never has it. */
    private static final long CLOSE_ON_EXEC = 02000000;

    private ClosedStreams() {}

    /** Returns the text of the error; empty if all three streams are open. */
    public static Optional<String> complaint() {
        return complaint(Path.of("/proc/self"), Path.of(System.getProperty("java.home")));
    }

    static Optional<String> complaint(Path process, Path javaHome) {
        for (int fd = 0; fd < NAMES.size(); fd++) {
            if (!open(process, javaHome, fd)) {
                return Optional.of("%s is closed; give the program one, for example %s"
                        .formatted(NAMES.get(fd), fd == 0 ? "</dev/null" : fd + ">/dev/null"));
            }
        }
        return Optional.empty();
    }

    private static boolean open(Path process, Path javaHome, int fd) {
        try {
            Path target = Files.readSymbolicLink(process.resolve("fd/" + fd));
            // The JVM opens lib/modules without that flag.
            return !target.startsWith(javaHome)
                    && !target.startsWith(javaHome.toRealPath())
                    && !closesOnExec(process, fd);
        } catch (IOException notThere) {
            return !Files.isDirectory(process); // without /proc it cannot be found out
        }
    }

    private static boolean closesOnExec(Path process, int fd) throws IOException {
        return Files.readAllLines(process.resolve("fdinfo/" + fd)).stream()
                .filter(line -> line.startsWith(FLAGS))
                .anyMatch(line -> (Long.parseLong(line.substring(FLAGS.length()).strip(), OCTAL) & CLOSE_ON_EXEC) != 0);
    }
}
