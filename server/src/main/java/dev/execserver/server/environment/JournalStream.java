package dev.execserver.server.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells if systemd's journal reads standard error, see {@code $JOURNAL_STREAM} in systemd.exec(5). Stateless. */
public final class JournalStream {
    private static final String VARIABLE = "JOURNAL_STREAM";
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private JournalStream() {}

    /** Returns true if the variable names the file that standard error is. */
    public static boolean isStandardError() {
        String named = System.getenv(VARIABLE);
        if (named == null) {
            return false;
        }
        try {
            return named.equals(Files.getAttribute(STANDARD_ERROR, "unix:dev") + ":"
                    + Files.getAttribute(STANDARD_ERROR, "unix:ino"));
        } catch (IOException | UnsupportedOperationException e) {
            return false; // without /proc lines have a time of their own and no priority, which is correct everywhere
        }
    }
}
