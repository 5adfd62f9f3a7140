package dev.execserver.it;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The rows with a server of root, as they were recorded. */
class SandboxRowsIT extends SandboxRows {
    @BeforeAll
    static void start() throws IOException {
        playOn(LocalRowsServer.start());
    }
}
