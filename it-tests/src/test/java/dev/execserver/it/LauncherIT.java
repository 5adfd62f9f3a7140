package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.protocol.text.VisibleText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/exec-server}: it becomes the server, and adds nothing of its own to what the server gets and says. */
@Timeout(120)
class LauncherIT {
    private static final Path SCRIPT = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("bin/exec-server");

    @TempDir
    private Path folder;

    @Test
    void theServerHasThePidOfTheScriptAndUsesTheAotCache() throws Exception {
        Process server = start(SCRIPT);
        try (BufferedReader out = server.inputReader()) {
            assertThat(out.readLine()).startsWith("ws://127.0.0.1:");
            List<String> commandLine = commandLine(server.pid());
            assertThat(commandLine).anyMatch(word -> word.endsWith("/exec-server.jar"));
            assertThat(commandLine).anyMatch(word -> word.startsWith("-XX:AOTCache="));
            server.toHandle().destroy(); // Process.destroy would close the stream that is read next
            assertThat(out.readLine()).isNull();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void argumentsPassThroughUntouched() throws Exception {
        String odd = "a b\t\"c\" 'd' $HOME * \\ \n@e";
        Process server = start(SCRIPT, "serve", "--listen", odd);
        server.waitFor();
        assertThat(text(server)).isEmpty();
        assertThat(errors(server)).contains("`" + VisibleText.oneLine(odd) + "`");
    }

    @Test
    void anEmptyArgumentStaysOne() throws Exception {
        Process server = start(SCRIPT, "--listen", "");
        server.waitFor();
        assertThat(errors(server)).contains("``");
    }

    @Test
    void linksToTheScriptFindTheRepository() throws Exception {
        Path first = Files.createSymbolicLink(folder.resolve("first"), SCRIPT);
        Path second = Files.createSymbolicLink(folder.resolve("second"), first.getFileName());
        Process server = start(second, "--version");
        assertThat(text(server)).isNotBlank();
        assertThat(server.waitFor()).isZero();
    }

    @Test
    void aCurrentDirectoryThatIsGoneIsSaid() throws Exception {
        String script = "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" --version";
        Process server = new ProcessBuilder("sh", "-c", script, SCRIPT.toString())
                .directory(folder.toFile())
                .start();
        assertThat(errors(server))
                .endsWith("exec-server: the current directory does not exist any more; change to one that does.\n");
        assertThat(server.waitFor()).isOne();
    }

    @Test
    void c111_withoutProcItIsSaid() throws Exception {
        String script = "mount -t tmpfs none /proc; exec \"$0\" --version";
        Process server =
                new ProcessBuilder("unshare", "--map-root-user", "--mount", "sh", "-c", script, distribution()).start();
        assertThat(errors(server))
                .startsWith("exec-server: /proc is not mounted here")
                .contains("mount -t proc");
        assertThat(server.waitFor()).isOne();
    }

    @Test
    void moreJvmOptionsComeFromTheEnvironment() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "--version");
        builder.environment().put("EXEC_SERVER_JAVA_OPTS", "-Xmx100m -XX:+PrintFlagsFinal");
        Process server = builder.start();
        server.getOutputStream().close();
        assertThat(errors(server)).containsPattern("MaxHeapSize\\s*=\\s*104857600");
        server.waitFor();
    }

    @Test
    void aJavaInTheDistributionGoesBeforeAllOthers() throws Exception {
        try (DistributionCopy copy = DistributionCopy.create("launcher-")) {
            Path dist = copy.folder().resolve("dist");
            Path runtime = Files.createDirectories(dist.resolve("runtime/bin")).getParent();
            Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"25.0.9\"\n");
            Path java = Files.writeString(runtime.resolve("bin/java"), "#!/bin/sh\necho \"$0\"\n");
            assertThat(java.toFile().setExecutable(true)).isTrue();
            assertThat(text(start(dist.resolve("bin/exec-server")))).isEqualTo(java + "\n");
            Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"21.0.9\"\n");
            assertThat(text(start(dist.resolve("bin/exec-server"), "--version")))
                    .startsWith("exec-server ");
        }
    }

    @Test
    void aDistributionInAFolderThatIsNotAsciiStartsInEveryLocale() throws Exception {
        try (DistributionCopy copy = DistributionCopy.create("launcher-")) {
            String script = "cd \"$0\" && there=$(printf 'd\\303\\251') && mv dist \"$there\" || exit; LC_ALL=C"
                    + " \"$there/bin/exec-server\" --version; status=$?; mv \"$there\" dist; exit $status";
            Process server =
                    new ProcessBuilder("sh", "-c", script, copy.folder().toString()).start();
            assertThat(text(server)).startsWith("exec-server ");
            assertThat(server.waitFor()).isZero();
        }
    }

    private static Process start(Path script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    /** The script of the packaged server: the one of the repository may build first. */
    private static String distribution() {
        return Path.of(System.getProperty("exec.server.dist"))
                .resolve("bin/exec-server")
                .toString();
    }

    private static String text(Process server) throws IOException {
        return new String(server.getInputStream().readAllBytes(), UTF_8);
    }

    private static String errors(Process server) throws IOException {
        return new String(server.getErrorStream().readAllBytes(), UTF_8);
    }

    private static List<String> commandLine(long pid) throws IOException {
        return List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0"));
    }
}
