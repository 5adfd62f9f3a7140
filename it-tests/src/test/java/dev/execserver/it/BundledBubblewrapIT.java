package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine without bubblewrap: the one that came with the distribution is used, if it is as it came. */
@Timeout(120)
class BundledBubblewrapIT {
    /** All programs of this machine but bubblewrap, as links; JUnit would warn of each. */
    private Path programs;

    @TempDir(factory = VarTmp.class)
    private Path workspace;

    @BeforeEach
    void hideBubblewrap() throws IOException {
        programs = Files.createTempDirectory(Path.of("/var/tmp"), "exec-server-it-");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/usr/bin"))) {
            for (Path program : all) {
                if (!program.endsWith("bwrap")) {
                    Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
                }
            }
        }
    }

    @AfterEach
    void removeLinks() throws IOException {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(programs)) {
            for (Path link : links) {
                Files.delete(link);
            }
        }
        Files.delete(programs);
    }

    private ServerProcess server() {
        return ServerProcess.listening(List.of(), Map.of("PATH", programs.toString()));
    }

    private Start command() {
        return Start.shell("echo x > file && cat file")
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", Policies.workspaceWrite(workspace));
    }

    @Test
    void isUsedAndThatIsSaid() {
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process = client.start(command());
            process.closed();

            assertThat(process.exited().exitCode()).isZero();
            assertThat(process.started().result().get("sandboxBackend").textValue())
                    .isEqualTo("bubblewrap");
            String warning = "No bubblewrap was found on the server's PATH. The bundled one is used in the meantime.";
            server.awaitStderr(warning);
            assertThat(client.call("sandbox/status").result().toString()).contains(warning, "/lib/bwrap (");
            assertThat(client.call("environment/info").result().get("warnings").toString())
                    .contains(warning);
        }
    }

    @Test
    void isRefusedWhenItWasChanged() throws IOException {
        try (DistributionCopy copy = DistributionCopy.create("exec-server-it-")) {
            Path bundled = copy.folder().resolve("dist/lib/bwrap");
            Files.writeString(bundled, "x", StandardOpenOption.APPEND);
            try (ServerProcess server = copy.start(this::server);
                    WireClient client = WireClient.connect(server.port())) {
                client.handshake();
                Answer refused = client.sendStart(command()).started();

                String why = "the bundled " + bundled + " was changed: it does not have the digest";
                assertThat(refused.errorMessage()).contains("bubblewrap is unavailable", why);
                server.awaitStderr(why);
                assertThat(client.call("environment/info")
                                .result()
                                .get("warnings")
                                .toString())
                        .contains(why);
            }
        }
    }
}
