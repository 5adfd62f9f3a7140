package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C55: nothing of a sandboxed command reaches the server's own process where both are in one PID namespace. */
@Timeout(180)
abstract class ReachCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path shared;

    /** Starts a server with these options. */
    abstract ServerProcess start(String... arguments);

    private String notRefused(String more, String... options) throws IOException {
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path script = shared.resolve("reach.py");
        try (InputStream text = ReachCases.class.getResourceAsStream("/wayout/reach.py")) {
            Files.copy(text, script);
        }
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        List<String> arguments = new ArrayList<>(List.of("--listen", "ws://127.0.0.1:0"));
        arguments.addAll(List.of(options));
        try (ServerProcess server = start(arguments.toArray(String[]::new));
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            String shell = "/usr/bin/python3 " + script + " " + server.pid() + " " + more;
            RemoteProcess process = client.start(Start.shell(shell)
                    .with("cwd", shared.toUri().toString())
                    .with("sandbox", Policies.of(shared, Policies.entry("root", "read"))));
            process.closed(LIMIT);
            assertThat(server.alive()).isTrue();
            return process.text();
        }
    }

    @Test
    void c55_underLandlock() throws IOException {
        assertThat(notRefused("ipc", "--sandbox-backend", "landlock")).isEqualTo("end\n");
    }

    /** Signals are what the option keeps open, see SECURITY.md. */
    @Test
    void c55_withThePidsOfTheHost() throws IOException {
        String left = notRefused("", "--linux-sandbox-pid-namespace", "inherit");
        assertThat(left.lines().filter(line -> !isSignal(line))).containsExactly("end");
    }

    private static boolean isSignal(String line) {
        return List.of("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal").stream()
                .anyMatch(line::startsWith);
    }
}
