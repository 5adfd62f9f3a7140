package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The user's file of servers, which names programs that client commands run outside of every sandbox. */
@Timeout(60)
class ServersFileIT {
    @TempDir(factory = VarTmp.class)
    private Path home;

    @Test
    void aCommandThatMayWriteTheHomeFolderCannotChangeOrReplaceIt() throws IOException {
        Path folder = Files.createDirectories(home.resolve(".config/exec-server"));
        Path file = Files.writeString(folder.resolve("config"), "# of the user\n");
        String said;
        String script =
                "cd %s; echo 'token-command = touch /tmp/x' >>config; rm -f config; mv config c; echo x >n; mv n config;"
                        + " cd ..; mv exec-server e; cd ..; mv .config d; echo written >%s/free; cat %s";
        try (ServerProcess server = ServerProcess.listening(List.of(), Map.of("HOME", home.toString()));
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess command = client.start(Start.shell(script.formatted(folder, home, file))
                    .with("cwd", home.toUri().toString())
                    .with(
                            "sandbox",
                            Policies.of(
                                    home, Policies.entry("root", "read"), Policies.entry("project_roots", "write"))));
            command.closed();
            said = command.text();
        }

        assertThat(home.resolve("free")).as(said).exists();
        assertThat(file).as(said).content().isEqualTo("# of the user\n");
    }
}
