package dev.execserver.server.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the entry of a user from the file of passwd(5). It does not find users that only a directory service knows. The
 * C library could find them, but it would load its modules into the server for that and might wait for the network.
 */
record PasswdFile(Path file) {
    private static final int FIELDS = 7;
    private static final int UID = 2;
    private static final int HOME = 5;
    private static final int SHELL = 6;

    /** Entry of a user. Both texts are empty if the file leaves them out. */
    record Entry(String home, String shell) {}

    Optional<Entry> byUid(long uid) {
        String wanted = Long.toString(uid);
        try {
            return new String(Files.readAllBytes(file), UTF_8)
                    .lines()
                    .map(line -> line.split(":", -1))
                    .filter(fields -> fields.length == FIELDS && fields[UID].equals(wanted))
                    .map(fields -> new Entry(fields[HOME], fields[SHELL]))
                    .findFirst();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
