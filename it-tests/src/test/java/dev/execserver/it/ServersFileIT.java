package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The user's file of servers, which names programs that client commands run outside of every sandbox. */
@Timeout(60)
class ServersFileIT {
    @TempDir(factory = VarTmp.class)
    private Path home;

    private Path file;
    private String attack;

    @BeforeEach
    void make() throws IOException {
        Path folder = Files.createDirectories(home.resolve(".config/exec-server"));
        file = Files.writeString(folder.resolve("config"), "# of the user\n");
        attack =
                ("cd %s; echo 'token-command = touch /tmp/x' >>config; rm -f config; mv config c; echo x >n; mv n config;"
                                + " cd ..; mv exec-server e; cd ..; mv .config d; echo written >%s/free")
                        .formatted(folder, home);
    }

    private ObjectNode homeIsWritable() {
        return Policies.of(home, Policies.entry("root", "read"), Policies.entry("project_roots", "write"));
    }

    private void assertUntouched(String said) {
        assertThat(home.resolve("free"))
                .as("the home folder is writable: " + said)
                .exists();
        assertThat(file).as(said).content().isEqualTo("# of the user\n");
    }

    @Test
    void aCommandThatMayWriteTheHomeFolderCannotChangeOrReplaceIt() {
        String said;
        try (ServerProcess server = ServerProcess.listening(List.of(), Map.of("HOME", home.toString()));
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess command = client.start(
                    Start.shell(attack).with("cwd", home.toUri().toString()).with("sandbox", homeIsWritable()));
            command.closed();
            said = command.text();
        }
        assertUntouched(said);
    }

    @Test
    void norCanOneOfASandboxWithoutAServer() throws Exception {
        String profile = homeIsWritable().get("permissions").toString();
        ProcessBuilder builder = new ProcessBuilder(ServerCommand.of(
                        List.of("sandbox", "--profile", profile, "--cwd", home.toString(), "--", "sh", "-c", attack)))
                .redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertUntouched(said);
    }
}
