package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A JVM that finds a file of this name when it gets SIGQUIT opens a socket in the temporary folder, and whoever has its user and
 * connects can load code into it. A command that may write there could wait for the operator to ask for the threads.
 */
@Timeout(120)
class AttachIT {
    @Test
    void nobodyAttachesToTheServer() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.listening()) {
            Path request = Path.of("/tmp/.attach_pid" + server.pid());
            Path socket = Path.of("/tmp/.java_pid" + server.pid());
            Files.createFile(request);
            try {
                assertThat(new ProcessBuilder("kill", "-QUIT", "" + server.pid())
                                .start()
                                .waitFor())
                        .isZero();
                // Instead of opening the socket it does what the signal means otherwise.
                server.awaitStderr("Full thread dump");
                assertThat(socket).doesNotExist();
            } finally {
                Files.delete(request);
            }
        }
    }
}
