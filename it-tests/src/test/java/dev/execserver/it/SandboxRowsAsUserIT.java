package dev.execserver.it;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The rows with a server that has no privilege at all. */
class SandboxRowsAsUserIT extends SandboxRows {
    @BeforeAll
    static void start() throws IOException {
        startServer("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all");
    }
}
