package dev.execserver.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lines of docs/deploy.md about containers, with the image that is there already and names that are in nobody's way. */
@Timeout(200)
class DeployPageContainerIT {
    private static final Pattern BLOCK =
            Pattern.compile("^```sh container=run\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

    private static final Path ROOT =
            Path.of(System.getProperty("exec.server.repository", "..")).toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void theLinesOfThePageRunACommandInTheContainer() throws IOException, InterruptedException {
        String image = Images.required();
        Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve("docs/deploy.md")));
        assertThat(block.find()).isTrue();
        String script = block.group(1)
                .replaceAll("docker build .*\\n", "")
                .replace("--name exec-server ", "--name exec-server-it-readme --label " + ServerContainer.LABEL + " ")
                .replace("exec-server-workspace:/workspace", "/workspace")
                .replace("    exec-server\n", "    " + image + "\n")
                .replace("docker exec exec-server ", "docker exec exec-server-it-readme ")
                .replace("127.0.0.1:4000", "127.0.0.1:" + freePort())
                .replace("bin/", ROOT + "/bin/")
                .replace("docker/", ROOT + "/docker/");
        Path out = directory.resolve("out");
        Process process = new ProcessBuilder(
                        "bash", "-ec", "trap 'docker rm -f exec-server-it-readme >&2' EXIT\n" + script)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        try {
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        assertThat(Files.readString(out, UTF_8))
                .as(Files.readString(directory.resolve("err")))
                .contains("git version 2");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
