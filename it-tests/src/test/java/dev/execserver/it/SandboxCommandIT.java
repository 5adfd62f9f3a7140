package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands {@code sandbox} and {@code doctor}. */
@Timeout(90)
class SandboxCommandIT {
    private static final int PATIENCE_SECONDS = 40;

    private final SandboxScene scene = new SandboxScene();

    @AfterEach
    void cleanUp() {
        scene.close();
    }

    private Process start(String... arguments) throws IOException {
        return new ProcessBuilder(ServerCommand.of(List.of(arguments))).start();
    }

    private Process sandboxed(String script) throws IOException {
        String profile = scene.sandbox().get("permissions").toString();
        return start("sandbox", "--profile", profile, "--cwd", scene.workspace().toString(), "--", "sh", "-c", script);
    }

    private static int status(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void exitCodeAndStreamsAreThoseOfTheCommand() throws Exception {
        Process process = sandboxed("read -r line; echo \"got $line\"; echo x > " + scene.base() + "/new; exit 42");
        process.getOutputStream().write("input\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();

        assertThat(text(process)).isEqualTo("got input\n");
        assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Read-only file system");
        assertThat(status(process)).isEqualTo(42);
        assertThat(scene.names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "HUP", "TERM"})
    @DisplayName("B40: whichever signal comes, the handler of the command inside gets TERM, and its exit code is kept")
    void signalsReachTheCommand(String signal) throws Exception {
        Process process = sandboxed("trap 'echo got; exit 9' TERM; echo ready; while :; do sleep 0.05; done");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("ready");
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(lines.readLine()).isEqualTo("got");
        }
        assertThat(status(process)).isEqualTo(9);
        assertThat(scene.names()).isEmpty();
    }

    @Test
    void aProfileMayLieInAFile() throws Exception {
        Path profile = Files.writeString(
                scene.base().resolve("profile.json"),
                scene.sandbox().get("permissions").toString());
        Process good = start("sandbox", "--profile", profile.toString(), "--", "true");
        assertThat(status(good)).isZero();

        Process bad = start("sandbox", "--profile", scene.base() + "/none", "--", "true");
        assertThat(new String(bad.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("--profile " + scene.base() + "/none cannot be read: No such file or directory");
        assertThat(status(bad)).isEqualTo(1);
    }

    @Test
    void aProfileMayBeNamed() throws Exception {
        Path file = Files.writeString(
                scene.base().resolve("profiles.json"),
                "{\"profiles\":{\"ours\":" + scene.sandbox().get("permissions") + "}}");
        assertThat(status(start("sandbox", "--profile", ":workspace", "--", "true")))
                .isZero();
        assertThat(status(start("sandbox", "--profiles", file.toString(), "--profile", "ours", "--", "true")))
                .isZero();

        Process unknown = start("sandbox", "--profile", "ours", "--", "true");
        assertThat(errors(unknown))
                .contains("no profile `ours`")
                .contains(":read-only")
                .contains("./ours");
        assertThat(status(unknown)).isEqualTo(1);
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aProgramThatIsNotThereOrNotExecutableHasTheStatusOfAShell() throws Exception {
        Process missing = start("sandbox", "--", "nosuch");
        assertThat(errors(missing)).isEqualTo("Error: program `nosuch`: No such file or directory (os error 2)\n");
        assertThat(status(missing)).isEqualTo(127);

        Process file = start("sandbox", "--", "/etc/passwd");
        assertThat(errors(file)).isEqualTo("Error: program `/etc/passwd`: Permission denied (os error 13)\n");
        assertThat(status(file)).isEqualTo(126);
    }

    @Test
    void aProgramThatTheProfileHidesIsSaidToBeHidden() throws Exception {
        String nothing = """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[]}}""";
        Process process = start("sandbox", "--profile", nothing, "--", "true");

        assertThat(errors(process))
                .startsWith("Error: program `true`: No such file or directory (os error 2); it exists, but the profile")
                .contains("minimal");
        assertThat(status(process)).isEqualTo(127);
    }

    @Test
    void aWorkingDirectoryThatIsNotThereIsNamedWithItsOption() throws Exception {
        Process process = start("sandbox", "--cwd", "/nonexistent", "--", "true");

        assertThat(errors(process))
                .isEqualTo(
                        "Error: the working directory of --cwd /nonexistent cannot be used: No such file or directory "
                                + "(os error 2); give one that exists\n");
        assertThat(status(process)).isEqualTo(1);
    }

    @Test
    void withoutProcItIsEmpty() throws Exception {
        Process process = start("sandbox", "--no-proc", "--", "sh", "-c", "echo /proc/*");

        assertThat(text(process)).isEqualTo("/proc/*\n");
        assertThat(status(process)).isZero();
    }

    @Test
    void theDoctorSaysWhatTheMachineHas() throws Exception {
        Process process = start("doctor", "--json");
        JsonNode found = Json.parse(text(process));

        int status = status(process);
        assertThat(status == 1)
                .as("%s", found)
                .isEqualTo(!found.get("bubblewrap").asBoolean());
        boolean wrong = false;
        for (JsonNode finding : found.get("findings")) {
            wrong |= !finding.get("status").asText().equals("ok");
        }
        assertThat(status == 0).as("%s", found).isEqualTo(!wrong);
        List<String> layers = new ArrayList<>();
        found.get("findings").forEach(finding -> {
            layers.add(finding.get("layer").asText());
            assertThat(finding.get("status").asText()).isIn("ok", "warning", "missing");
            assertThat(finding.get("meaning").asText()).isNotBlank();
        });
        assertThat(layers).doesNotHaveDuplicates().hasSizeGreaterThan(8);
        assertThat(layers)
                .contains(
                        "java",
                        "open files",
                        "processes",
                        "inotify",
                        "limits",
                        "configuration",
                        "address",
                        "spill space");
    }

    @Test
    void theDoctorNeedsABubblewrapForAGoodStatus() throws Exception {
        Process process = start("doctor", "--bwrap", "/bin/true");

        assertThat(text(process)).contains("missing");
        assertThat(status(process)).isEqualTo(1);
    }
}
