package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The configuration is checked and printed without a start. */
@Timeout(120)
class CheckConfigIT {
    @TempDir
    private Path folder;

    @Test
    void aConfigurationThatStartsIsFoundGoodAlsoWhileAServerRunsWithIt() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "of-some-length-0123456789abcdef\n");
        Path file = Files.writeString(
                folder.resolve("server.properties"),
                "ws-auth=capability-token\nws-token-file=%s\naccess-log=text\naccess-log-file=%s\n"
                        .formatted(token, folder.resolve("access.log")));
        try (ServerProcess server = ServerProcess.listening("--config", file.toString())) {
            Program checked = Program.run(
                    folder, "", "--listen", "ws://127.0.0.1:" + server.port(), "--config=" + file, "--check-config");

            assertThat(checked.status()).as(checked.err()).isZero();
            assertThat(checked.out()).isEmpty();
            assertThat(checked.err()).contains("The configuration can be used.");
        }
    }

    @Test
    void eachFileThatAStartWouldRefuseIsRefused() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong"), "nonsense(");

        refused("--ws-auth capability-token --ws-token-file " + folder + "/missing", "missing");
        refused("--tls-cert " + wrong + " --tls-key " + wrong, wrong.toString());
        refused("--exec-rules " + wrong, wrong.toString());
        refused("--sandbox-floor " + wrong, wrong.toString());
        refused("--profiles " + wrong, wrong.toString());
        refused("--mcp --mcp-profile " + wrong, wrong.toString());
        refused("--spill-dir " + folder + "/none", folder + "/none");
        refused("--access-log text --access-log-file " + folder + "/none/log", folder + "/none/log");
        refused("--config " + wrong, "name=value");
        Path unknown = Files.writeString(folder.resolve("unknown"), "max-proceses=3\n");
        refused("--config " + unknown, "did you mean max-processes?");
    }

    @Test
    void theSettingsArePrintedWithTheirOriginAndTheFilesCanBeCheckedAtTheSameTime() {
        Program printed = Program.run(folder, "", "serve", "--max-processes", "7", "--print-config", "--check-config");

        assertThat(printed.status()).as(printed.err()).isZero();
        assertThat(printed.out())
                .contains("# from the command line\nmax-processes=7\n")
                .contains("# session-ttl (default: 80s)\n");
        assertThat(printed.out().lines()).allMatch(line -> line.startsWith("#") || line.contains("="));
    }

    private void refused(String options, String words) {
        Program checked = Program.run(folder, "", ("--check-config " + options).split(" "));

        assertThat(checked.status()).as(options + ": " + checked.err()).isPositive();
        assertThat(checked.err()).startsWith("Error: ").contains(words);
        assertThat(checked.out()).isEmpty();
    }
}
