package dev.execserver.server.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.ShellInfo;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentProbeTest {
    private static final long UID = 4242;

    @TempDir
    Path folder;

    private Path passwd;
    private Path machineId;

    @BeforeEach
    void makeFiles() throws IOException {
        passwd = Files.writeString(
                folder.resolve("passwd"),
                "root:x:0:0:root:/root:/bin/bash\nbroken line\nu:x:4242:1:,,,:/home/of-passwd:/bin/sh\n");
        machineId = Files.writeString(folder.resolve("machine-id"), "0123456789abcdef0123456789abcdef\n");
    }

    @Test
    void takesShellAndHomeFromTheVariables() {
        EnvironmentInfo info = probe(Map.of("SHELL", "/bin/bash", "HOME", "/home/of env"));

        assertThat(info.shell()).isEqualTo(new ShellInfo("bash", "/bin/bash"));
        assertThat(info.userHomeDir()).map(PathUri::toUri).contains("file:///home/of%20env");
    }

    @Test
    void takesShellAndHomeFromPasswdWhenNoVariableSaysThem() {
        EnvironmentInfo info = probe(Map.of("SHELL", "", "HOME", ""));

        assertThat(info.shell()).isEqualTo(new ShellInfo("sh", "/bin/sh"));
        assertThat(info.userHomeDir()).map(PathUri::toUri).contains("file:///home/of-passwd");
    }

    @Test
    void neverReportsAShellThatClientsDoNotKnow() throws IOException {
        Path fish = Files.createFile(folder.resolve("fish"));
        assertThat(fish.toFile().setExecutable(true)).isTrue();

        assertThat(probe(Map.of("SHELL", fish.toString())).shell().name()).isEqualTo("sh");
        assertThat(probe(Map.of("SHELL", "/does/not/exist/bash")).shell().path())
                .isEqualTo("/bin/sh");
        assertThat(probe(Map.of("SHELL", "bash")).shell().path()).isEqualTo("/bin/sh");
    }

    @Test
    void fallsBackToBashOrShForAUserThatPasswdDoesNotKnow() {
        EnvironmentInfo info =
                new EnvironmentProbe(Map.of(), 99_999, passwd, machineId, folder).probe(Capabilities.NONE);

        assertThat(info.shell().name()).isIn("bash", "sh");
        assertThat(info.userHomeDir()).isEmpty();
    }

    @Test
    void theProviderIdIsStableOnOneMachineAndDoesNotShowItsId() throws IOException {
        String first = probe(Map.of()).providerId().orElseThrow();

        assertThat(first).matches("sha256:[0-9a-f]{64}").doesNotContain("0123456789abcdef0123456789abcdef");
        assertThat(probe(Map.of()).providerId()).contains(first);
        Files.writeString(machineId, "fedcba9876543210fedcba9876543210\n");
        assertThat(probe(Map.of()).providerId().orElseThrow()).isNotEqualTo(first);
    }

    @Test
    void theProviderIdIsRandomWhereTheMachineHasNoId() throws IOException {
        for (String none : new String[] {"", "\n", "uninitialized\n"}) {
            Files.writeString(machineId, none);
            assertThat(probe(Map.of()).providerId())
                    .isNotEqualTo(probe(Map.of()).providerId());
        }
        Files.delete(machineId);
        assertThat(probe(Map.of()).providerId()).isNotEqualTo(probe(Map.of()).providerId());
    }

    @Test
    void listsTheTemporaryFolderOfTheUserFirst() {
        EnvironmentInfo info = probe(Map.of("TMPDIR", folder + "/"));

        assertThat(info.tempDir()).map(PathUri::display).contains(folder.toString());
        assertThat(info.temporaryDirectories().orElseThrow())
                .extracting(PathUri::display)
                .containsExactly(folder.toString(), "/tmp");
    }

    @Test
    void ignoresATemporaryFolderThatIsNone() {
        for (String wrong : new String[] {"/does/not/exist", "relative", "/tmp", ""}) {
            assertThat(probe(Map.of("TMPDIR", wrong)).temporaryDirectories().orElseThrow())
                    .extracting(PathUri::toUri)
                    .containsExactly("file:///tmp");
        }
    }

    @Test
    void saysWhereAndWhatItIs() {
        EnvironmentInfo info = probe(Map.of());

        assertThat(info.cwd()).map(PathUri::display).contains(folder.toString());
        assertThat(info.platformOs()).contains("linux");
        assertThat(info.executorVersion()).isEqualTo(ServerVersion.text()).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
        assertThat(info.prependPathDirs()).isEmpty();
        assertThat(info.capabilities()).isEqualTo(Capabilities.NONE);
    }

    @Test
    void looksAtThisProcessToo() {
        EnvironmentInfo info =
                EnvironmentProbe.ofThisProcess(ServerEnvironment.read()).probe(Capabilities.NONE);

        assertThat(info.cwd()).map(PathUri::display).contains(System.getProperty("user.dir"));
        assertThat(Path.of(info.shell().path())).isExecutable();
    }

    private EnvironmentInfo probe(Map<String, String> environment) {
        return new EnvironmentProbe(environment, UID, passwd, machineId, folder).probe(Capabilities.NONE);
    }
}
